{{/* What a scrape endpoint says beside its port; takes (dict "root" $ "monitor" .Values.podMonitor). */}}
{{- define "sconverge.endpoint" -}}
{{- with .monitor }}
{{- range $key := list "interval" "scrapeTimeout" "honorLabels" "metricRelabelings" }}
{{- with get $.monitor $key }}
{{ $key }}: {{ kindIs "slice" . | ternary (toYaml . | nindent 2) (toYaml .) }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "sconverge.endpoints" -}}
{{- $root := .root -}}
{{- $tls := $root.Values.metrics.tls -}}
{{- $token := $root.Values.metrics.bearerToken -}}
- port: metrics
  path: /metrics
  scheme: {{ empty $tls.secretName | ternary "http" "https" }}
  {{- with include "sconverge.endpoint" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  {{- with .monitor.relabelings }}
  relabelings:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if $tls.secretName }}
  {{- $tlsConfig := dict "serverName" (default (printf "%s.%s.svc" (include "sconverge.fullname" $root) (include "sconverge.namespace" $root)) $tls.serverName) }}
  {{- with $tls.caKey }}
  {{- $_ := set $tlsConfig "ca" (dict "secret" (dict "name" $tls.secretName "key" .)) }}
  {{- end }}
  tlsConfig:
    {{- toYaml (merge (dict) .monitor.tlsConfig $tlsConfig) | nindent 4 }}
  {{- end }}
  {{- with $token.secretName }}
  authorization:
    type: Bearer
    credentials: {name: {{ . }}, key: {{ $token.key }}}
  {{- end }}
{{- if and (eq $root.Values.source.type "gitSync") $root.Values.gitSync.metrics.enabled }}
- port: git-sync
  path: /metrics
  {{- with include "sconverge.endpoint" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  relabelings:
    {{- /* it is no sconverge, and the alerts about one must not take it for one */}}
    - {targetLabel: job, replacement: {{ $root.Release.Name }}-git-sync}
    {{- with .monitor.relabelings }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end -}}

{{- define "sconverge.monitorMetadata" -}}
metadata:
  name: {{ include "sconverge.fullname" .root }}
  namespace: {{ include "sconverge.namespace" .root }}
  labels:
    {{- include "sconverge.labels" .root | nindent 4 }}
    {{- with .monitor.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .monitor.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "sconverge.monitorSpec" -}}
{{- /* the job is the release, so that alerts tell one controller from another */ -}}
jobLabel: app.kubernetes.io/instance
namespaceSelector: {matchNames: [{{ include "sconverge.namespace" .root }}]}
selector:
  matchLabels:
    {{- include "sconverge.selectorLabels" .root | nindent 4 }}
{{- with .monitor.sampleLimit }}
sampleLimit: {{ . }}
{{- end }}
{{- end -}}
