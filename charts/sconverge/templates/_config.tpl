{{/* Directory with the specs in the pod. */}}
{{- define "sconverge.specsDirectory" -}}
{{- $root := eq .Values.source.type "gitSync" | ternary "/specs/root/current" "/specs" -}}
{{- with .Values.source.subPath | trimSuffix "/" }}{{ printf "%s/%s" $root . }}{{ else }}{{ $root }}{{ end -}}
{{- end -}}

{{/* Settings that belong to the pod the chart makes, as JSON. */}}
{{- define "sconverge.podConfig" -}}
{{- $out := dict "specs" (include "sconverge.specsDirectory" .) "state" "/var/lib/sconverge" "listen" "127.0.0.1:9810" -}}
{{- $_ := set $out "healthListen" (printf "0.0.0.0:%d" (int .Values.ports.health)) -}}
{{- with .Values.metrics -}}
{{- if .enabled -}}
{{- $_ := set $out "listen" (printf "0.0.0.0:%d" (int $.Values.ports.metrics)) -}}
{{- if .tls.secretName -}}
{{- $_ := set $out "tlsCert" "/var/run/secrets/sconverge/metrics/tls.crt" -}}
{{- $_ := set $out "tlsKey" "/var/run/secrets/sconverge/metrics/tls.key" -}}
{{- end -}}
{{- if .bearerToken.secretName -}}
{{- $_ := set $out "listenTokenFile" "/var/run/secrets/sconverge/metrics/token" -}}
{{- end -}}
{{- if .insecure -}}
{{- $_ := set $out "insecureListen" true -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $out -}}
{{- end -}}

{{/* The file sconverge.yaml. */}}
{{- define "sconverge.config" -}}
{{- $out := include "sconverge.podConfig" . | fromJson -}}
{{- range $key := list "controllerId" "interval" "pruneGrace" "defaultCluster" -}}
{{- with get $.Values.config $key -}}
{{- $_ := set $out $key . -}}
{{- end -}}
{{- end -}}
{{- $_ := set $out "log" .Values.log -}}
{{- $perSpec := .Values.metrics.perSpec -}}
{{- $_ := set $out "metrics" (dict "perSpec" $perSpec.enabled "maxSpecs" (int $perSpec.maxSpecs)) -}}
{{- $clusters := dict -}}
{{- range $name, $cluster := include "sconverge.clusters" . | fromJson -}}
{{- $_ := set $clusters $name (include "sconverge.clusterConfig" (dict "name" $name "cluster" $cluster) | fromJson) -}}
{{- end -}}
{{- $_ := set $out "clusters" $clusters -}}
{{- toYaml $out -}}
{{- end -}}

{{/* The same settings as flags, for a configuration that the chart does not write. */}}
{{- define "sconverge.podFlags" -}}
{{- range $key, $value := include "sconverge.podConfig" . | fromJson }}
- --{{ kebabcase $key }}={{ $value }}
{{- end }}
- --log-level={{ .Values.log.level }}
- --log-format={{ .Values.log.format }}
- --metrics-per-spec={{ .Values.metrics.perSpec.enabled }}
- --metrics-max-specs={{ .Values.metrics.perSpec.maxSpecs }}
{{- end -}}
