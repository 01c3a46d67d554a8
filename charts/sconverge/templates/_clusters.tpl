{{/* Every cluster by name, as JSON: those of `clusters`, and `default` from `slurm` or `slurmJobApi`. */}}
{{- define "sconverge.clusters" -}}
{{- $all := dict -}}
{{- with .Values.slurmJobApi -}}
{{- if or .project .region .cluster -}}
{{- $_ := set $all "default" (dict "slurmJobApi" .) -}}
{{- end -}}
{{- end -}}
{{- with .Values.slurm -}}
{{- if .url -}}
{{- $slurmrestd := dict "url" .url "user" .user "tokenSecret" .tokenSecret -}}
{{- $ca := dict "name" .tls.caSecret "key" .tls.caKey -}}
{{- $_ := set $all "default" (dict "slurmrestd" $slurmrestd "apiVersion" .apiVersion "caSecret" $ca) -}}
{{- end -}}
{{- end -}}
{{- range $name, $cluster := .Values.clusters -}}
{{- $_ := set $all $name $cluster -}}
{{- end -}}
{{- range $name, $cluster := $all -}}
{{- $_ := set $all $name (merge (dict) $cluster $.Values.config.clusterDefaults) -}}
{{- end -}}
{{- toJson $all -}}
{{- end -}}

{{/* Directory of a cluster's secrets in the pod; takes its name. */}}
{{- define "sconverge.clusterDirectory" -}}
/var/run/secrets/sconverge/clusters/{{ . }}
{{- end -}}

{{/* A cluster as it stands in sconverge.yaml, as JSON; takes (dict "name" NAME "cluster" CLUSTER). */}}
{{- define "sconverge.clusterConfig" -}}
{{- $directory := include "sconverge.clusterDirectory" .name -}}
{{- $out := dict -}}
{{- range $key := list "apiVersion" "requestTimeout" "workingDirectory" "concurrency" "environment" -}}
{{- with get $.cluster $key -}}
{{- $_ := set $out $key . -}}
{{- end -}}
{{- end -}}
{{- if (dig "caSecret" "name" "" .cluster) -}}
{{- $_ := set $out "caFile" (printf "%s/ca.crt" $directory) -}}
{{- end -}}
{{- with .cluster.slurmrestd -}}
{{- $_ := set $out "slurmrestd" (dict "url" .url "user" .user "tokenFile" (printf "%s/token" $directory)) -}}
{{- end -}}
{{- with .cluster.slurmJobApi -}}
{{- $api := dict -}}
{{- range $key := list "project" "region" "cluster" "user" "endpoint" "googleApiVersion" "serviceAccountFlow" "quotaProject" -}}
{{- with get $.cluster.slurmJobApi $key -}}
{{- $_ := set $api $key . -}}
{{- end -}}
{{- end -}}
{{- $credentials := default dict .credentials -}}
{{- if dig "accessTokenSecret" "name" "" $credentials -}}
{{- $_ := set $api "accessTokenFile" (printf "%s/token" $directory) -}}
{{- else if or (dig "externalAccount" "audience" "" $credentials) (dig "configMap" "name" "" $credentials) (dig "secret" "name" "" $credentials) -}}
{{- $_ := set $api "credentials" (printf "%s/credentials.json" $directory) -}}
{{- end -}}
{{- $_ := set $out "slurmJobApi" $api -}}
{{- end -}}
{{- toJson $out -}}
{{- end -}}

{{/* Credential file for workload identity federation; takes (dict "name" CLUSTER "account" EXTERNALACCOUNT). */}}
{{- define "sconverge.externalAccount" -}}
{{- $file := printf "%s/identity" (include "sconverge.clusterDirectory" .name) -}}
{{- $out := dict "type" "external_account" "audience" .account.audience "subject_token_type" "urn:ietf:params:oauth:token-type:jwt" "token_url" "https://sts.googleapis.com/v1/token" "credential_source" (dict "file" $file) -}}
{{- with .account.serviceAccountEmail -}}
{{- $_ := set $out "service_account_impersonation_url" (printf "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/%s:generateAccessToken" .) -}}
{{- end -}}
{{- toPrettyJson $out -}}
{{- end -}}

{{/* What is projected into /var/run/secrets/sconverge for one cluster; takes (dict "root" $ "name" NAME "cluster" CLUSTER). */}}
{{- define "sconverge.clusterSources" -}}
{{- $path := printf "clusters/%s" .name -}}
{{- $credentials := dig "slurmJobApi" "credentials" dict .cluster -}}
{{- $token := dig "slurmrestd" "tokenSecret" (dig "accessTokenSecret" dict $credentials) .cluster -}}
{{- if $token.name }}
- secret: {name: {{ $token.name }}, items: [{key: {{ $token.key | default "token" }}, path: {{ $path }}/token}]}
{{- end }}
{{- with .cluster.caSecret }}{{ if .name }}
- secret: {name: {{ .name }}, items: [{key: {{ .key | default "ca.crt" }}, path: {{ $path }}/ca.crt}]}
{{- end }}{{ end }}
{{- $identity := dig "serviceAccountToken" "audience" "" $credentials }}
{{- $account := dig "externalAccount" "audience" "" $credentials }}
{{- if $account }}
- configMap: {name: {{ include "sconverge.configMapName" .root }}, items: [{key: {{ .name }}.credentials.json, path: {{ $path }}/credentials.json}]}
{{- $identity = default (printf "https:%s" $account) $identity }}
{{- else if dig "configMap" "name" "" $credentials }}
- configMap: {name: {{ $credentials.configMap.name }}, items: [{key: {{ $credentials.configMap.key | default "credentials.json" }}, path: {{ $path }}/credentials.json}]}
{{- else if dig "secret" "name" "" $credentials }}
- secret: {name: {{ $credentials.secret.name }}, items: [{key: {{ $credentials.secret.key | default "credentials.json" }}, path: {{ $path }}/credentials.json}]}
{{- end }}
{{- with $identity }}
- serviceAccountToken: {audience: {{ . | quote }}, expirationSeconds: {{ dig "serviceAccountToken" "expirationSeconds" 3600 $credentials | int }}, path: {{ $path }}/identity}
{{- end }}
{{- end -}}
