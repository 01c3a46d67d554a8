{{/* What every pod of ours says about who it is and where it runs. */}}
{{- define "sconverge.podFields" -}}
serviceAccountName: {{ include "sconverge.serviceAccountName" . }}
enableServiceLinks: {{ .Values.enableServiceLinks }}
{{- range $key := list "priorityClassName" "runtimeClassName" "schedulerName" "dnsPolicy" }}
{{- with get $.Values $key }}
{{ $key }}: {{ . }}
{{- end }}
{{- end }}
{{- range $key := list "imagePullSecrets" "hostAliases" "dnsConfig" "nodeSelector" "tolerations" }}
{{- with get $.Values $key }}
{{ $key }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with .Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Spread constraints, each with the pods it is about; takes (dict "constraints" LIST "selector" LABELS). */}}
{{- define "sconverge.spread" -}}
{{- range .constraints }}
- {{ toYaml (merge (dict) . (dict "labelSelector" (dict "matchLabels" ($.selector | fromYaml)))) | nindent 2 | trim }}
{{- end }}
{{- end -}}

{{/* What every container of our image says. */}}
{{- define "sconverge.containerFields" -}}
image: {{ include "sconverge.image" (dict "image" .Values.image "tag" .Chart.AppVersion) }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
