{{/* Secrets of the clusters and of the listener, one volume: /var/run/secrets/sconverge. Empty if there is nothing. */}}
{{- define "sconverge.secretSources" -}}
{{- if not .Values.existingConfigMap }}
{{- range $name, $cluster := include "sconverge.clusters" . | fromJson }}
{{- include "sconverge.clusterSources" (dict "root" $ "name" $name "cluster" $cluster) }}
{{- end }}
{{- end }}
{{- with .Values.metrics }}
{{- if and .enabled .tls.secretName }}
- secret: {name: {{ .tls.secretName }}, items: [{key: tls.crt, path: metrics/tls.crt}, {key: tls.key, path: metrics/tls.key}]}
{{- end }}
{{- if and .enabled .bearerToken.secretName }}
- secret: {name: {{ .bearerToken.secretName }}, items: [{key: {{ .bearerToken.key }}, path: metrics/token}]}
{{- end }}
{{- end }}
{{- end -}}

{{/* Volumes that the controller and `sconverge check` need. */}}
{{- define "sconverge.configVolumes" -}}
- name: config
  configMap:
    name: {{ include "sconverge.configMapName" . }}
    items: [{key: sconverge.yaml, path: sconverge.yaml}]
- name: tmp
  emptyDir: {}
{{- with include "sconverge.secretSources" . | trim }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- . | nindent 6 }}
{{- end }}
{{- end -}}

{{- define "sconverge.configMounts" -}}
- {name: config, mountPath: /etc/sconverge, readOnly: true}
- {name: tmp, mountPath: /tmp}
{{- if include "sconverge.secretSources" . | trim }}
- {name: secrets, mountPath: /var/run/secrets/sconverge, readOnly: true}
{{- end }}
{{- end -}}

{{- define "sconverge.stateVolume" -}}
- name: state
  {{- with .Values.persistence }}
  {{- if .enabled }}
  persistentVolumeClaim:
    claimName: {{ default (include "sconverge.fullname" $) .existingClaim }}
  {{- else }}
  emptyDir: {}
  {{- end }}
  {{- end }}
{{- end -}}

{{- define "sconverge.specsVolume" -}}
- name: specs
  {{- with .Values.source }}
  {{- if eq .type "gitSync" }}
  emptyDir: {sizeLimit: {{ $.Values.gitSync.sizeLimit }}}
  {{- else if eq .type "existingClaim" }}
  persistentVolumeClaim: {claimName: {{ .existingClaim.name }}, readOnly: true}
  {{- else if eq .type "configMap" }}
  configMap: {name: {{ default (printf "%s-specs" (include "sconverge.fullname" $)) .configMap.name }}}
  {{- else }}
  emptyDir: {sizeLimit: {{ .emptyDir.sizeLimit }}}
  {{- end }}
  {{- end }}
{{- end -}}
