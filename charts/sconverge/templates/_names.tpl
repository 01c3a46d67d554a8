{{- define "sconverge.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* At most 42 characters, so that the longest name made from it, NAME-dashboard-controller, is one, too. */}}
{{- define "sconverge.fullname" -}}
{{- $name := include "sconverge.name" . -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- default $full .Values.fullnameOverride | trunc 42 | trimSuffix "-" -}}
{{- end -}}

{{- define "sconverge.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}

{{- define "sconverge.selectorLabels" -}}
app.kubernetes.io/name: {{ include "sconverge.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* Labels of an object; a name of its own keeps what is no controller (tests) out of the Service. */}}
{{- define "sconverge.commonLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | trunc 63 | trimAll "-_." | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/part-of: sconverge
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "sconverge.labels" -}}
{{ include "sconverge.selectorLabels" . }}
{{ include "sconverge.commonLabels" . }}
{{- end -}}

{{- define "sconverge.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "sconverge.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* Name of an image; takes (dict "image" .Values.image "tag" "the default one"). */}}
{{- define "sconverge.image" -}}
{{- $image := .image -}}
{{- with $image.registry }}{{ . }}/{{ end -}}
{{- $image.repository -}}
{{- if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .tag }}{{ end -}}
{{- end -}}

{{- define "sconverge.configMapName" -}}
{{- default (include "sconverge.fullname" .) .Values.existingConfigMap -}}
{{- end -}}
