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
automountServiceAccountToken: false
{{ include "sconverge.podFields" . }}
{{- end -}}

{{- define "sconverge.testContainer" -}}
{{ include "sconverge.containerFields" . }}
{{- with .Values.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
