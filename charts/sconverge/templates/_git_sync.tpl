{{/*
The sidecar. It is an ordinary container, not one that must have ended or begun before ours: sconverge takes a directory that
is not there yet for unavailable, not for empty.
*/}}
{{- define "sconverge.gitSync" -}}
{{- with .Values.gitSync }}
name: git-sync
image: {{ include "sconverge.image" (dict "image" .image) }}
imagePullPolicy: {{ .image.pullPolicy }}
args:
  - --repo={{ .repo }}
  - --ref={{ .ref }}
  {{- /* below the volume, whose own directory git-sync could not replace */}}
  - --root=/specs/root
  - --link=current
  - --period={{ .period }}
  - --depth={{ .depth }}
  - --sync-timeout={{ .syncTimeout }}
  - --max-failures={{ .maxFailures }}
  - --stale-worktree-timeout={{ .staleWorktreeTimeout }}
  - --submodules={{ .submodules }}
  - --http-bind=:{{ .port }}
  - --http-metrics={{ .metrics.enabled }}
  {{- if eq .credentials.type "https" }}
  - --username={{ .credentials.username }}
  - --password-file=/etc/git-secret/password
  {{- else if eq .credentials.type "ssh" }}
  - --ssh-key-file=/etc/git-secret/ssh
  - --ssh-known-hosts=true
  - --ssh-known-hosts-file=/etc/git-secret/known_hosts
  {{- end }}
  {{- with .extraArgs }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
ports:
  - {name: git-sync, containerPort: {{ .port }}, protocol: TCP}
{{- /* its / answers 200 once the first sync is done */}}
startupProbe:
  httpGet: {path: /, port: git-sync}
  periodSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /, port: git-sync}
  periodSeconds: 30
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /, port: git-sync}
  periodSeconds: 10
  timeoutSeconds: 5
resources:
  {{- toYaml .resources | nindent 2 }}
securityContext:
  {{- toYaml .securityContext | nindent 2 }}
volumeMounts:
  - {name: specs, mountPath: /specs}
  - {name: git-tmp, mountPath: /tmp}
  {{- if ne .credentials.type "none" }}
  - {name: git-credentials, mountPath: /etc/git-secret, readOnly: true}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "sconverge.gitVolumes" -}}
- name: git-tmp
  emptyDir: {}
{{- with .Values.gitSync }}
{{- if ne .credentials.type "none" }}
- name: git-credentials
  projected:
    defaultMode: 0440
    sources:
      {{- if eq .credentials.type "https" }}
      - secret: {name: {{ .credentials.secretName }}, items: [{key: password, path: password}]}
      {{- else }}
      - secret: {name: {{ .credentials.secretName }}, items: [{key: ssh, path: ssh}]}
      {{- if .knownHosts.configMapName }}
      - configMap: {name: {{ .knownHosts.configMapName }}, items: [{key: {{ .knownHosts.key }}, path: known_hosts}]}
      {{- else }}
      - secret: {name: {{ .credentials.secretName }}, items: [{key: known_hosts, path: known_hosts}]}
      {{- end }}
      {{- end }}
{{- end }}
{{- end }}
{{- end -}}
