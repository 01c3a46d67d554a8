{{/* Pods of `helm test`: as restricted as the controller, and outside its Service and NetworkPolicy. */}}
{{- define "sconverge.testMetadata" -}}
metadata:
  name: {{ include "sconverge.fullname" .root }}-test-{{ .name }}
  namespace: {{ include "sconverge.namespace" .root }}
  labels:
    app.kubernetes.io/name: {{ include "sconverge.name" .root }}-test
    app.kubernetes.io/instance: {{ .root.Release.Name }}
    {{- include "sconverge.commonLabels" .root | nindent 4 }}
  annotations:
    helm.sh/hook: test
    helm.sh/hook-delete-policy: before-hook-creation
{{- end -}}

{{- define "sconverge.testPod" -}}
restartPolicy: Never
serviceAccountName: {{ include "sconverge.serviceAccountName" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- range $key := list "imagePullSecrets" "hostAliases" "nodeSelector" "tolerations" }}
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

{{- define "sconverge.testContainer" -}}
image: {{ include "sconverge.image" (dict "image" .Values.image "tag" .Chart.AppVersion) }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
