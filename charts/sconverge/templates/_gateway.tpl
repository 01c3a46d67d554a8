{{/* A name of its own keeps its pods out of the controller's Service, monitor and policy. */}}
{{- define "sconverge.gatewaySelector" -}}
app.kubernetes.io/name: {{ include "sconverge.name" . }}-gateway
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "sconverge.gatewayMetadata" -}}
metadata:
  name: {{ include "sconverge.fullname" . }}-gateway
  namespace: {{ include "sconverge.namespace" . }}
  labels:
    {{- include "sconverge.gatewaySelector" . | nindent 4 }}
    {{- include "sconverge.commonLabels" . | nindent 4 }}
{{- end -}}

{{/* Takes (dict "gateway" .Values.gateway "cluster" CLUSTER "log" .Values.log). */}}
{{- define "sconverge.gatewayFlags" -}}
{{- $secrets := "/var/run/secrets/sconverge/gateway" -}}
{{- $cluster := include "sconverge.clusterConfig" (dict "name" "default" "cluster" .cluster) | fromJson -}}
{{- with .gateway -}}
- --listen=0.0.0.0:{{ .port }}
- --tls-cert={{ $secrets }}/tls.crt
- --tls-key={{ $secrets }}/tls.key
- --tokens={{ $secrets }}/tokens.yaml
- --project={{ .project }}
- --region={{ .region }}
- --cluster={{ .cluster }}
{{- end }}
{{- with $cluster.slurmrestd }}
- --slurmrestd={{ .url }}
- --user={{ .user }}
- --token-file={{ .tokenFile }}
{{- end }}
{{- with $cluster.caFile }}
- --ca-file={{ . }}
{{- end }}
{{- with $cluster.requestTimeout }}
- --request-timeout={{ . }}
{{- end }}
- --log-level={{ .log.level }}
- --log-format={{ .log.format }}
{{- end -}}
