{{/* Port of an address: its own, else that of its kind. "git@host:path" is ssh. */}}
{{- define "sconverge.port" -}}
{{- if not (contains "://" .) -}}
22
{{- else -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- default (get (dict "http" "80" "https" "443" "ssh" "22" "git" "9418") $url.scheme) $port -}}
{{- end -}}
{{- end -}}

{{/* One egress rule; takes (dict "to" PEERS "ports" (list "6820")). */}}
{{- define "sconverge.egressRule" -}}
- ports:
    {{- range .ports | uniq | sortAlpha }}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "sconverge.dnsRule" -}}
- ports:
    - {port: 53, protocol: UDP}
    - {port: 53, protocol: TCP}
{{- end -}}

{{- define "sconverge.egress" -}}
{{ include "sconverge.dnsRule" . }}
{{- $slurm := list }}
{{- $jobApi := list }}
{{- $metadata := false }}
{{- if not .Values.existingConfigMap }}
{{- range $name, $cluster := include "sconverge.clusters" . | fromJson }}
{{- with $cluster.slurmrestd }}
{{- $slurm = append $slurm (include "sconverge.port" .url) }}
{{- end }}
{{- with $cluster.slurmJobApi }}
{{- $jobApi = append $jobApi (include "sconverge.port" (default "https://" .endpoint)) }}
{{- $credentials := include "sconverge.clusterSources" (dict "root" $ "name" $name "cluster" $cluster) | trim }}
{{- if not (dig "credentials" "accessTokenSecret" "name" "" .) }}
{{- $jobApi = append $jobApi "443" }}
{{- $metadata = or $metadata (not (contains "credentials.json" $credentials)) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with $slurm }}
{{ include "sconverge.egressRule" (dict "to" $.Values.networkPolicy.egress.slurm "ports" .) }}
{{- end }}
{{- with $jobApi }}
{{ include "sconverge.egressRule" (dict "to" $.Values.networkPolicy.egress.jobApi "ports" .) }}
{{- end }}
{{- if $metadata }}
{{- /* the metadata server, as pods of GKE reach it with and without Dataplane V2 */}}
- ports: [{port: 80, protocol: TCP}]
  to: [{ipBlock: {cidr: 169.254.169.254/32}}]
- ports: [{port: 988, protocol: TCP}]
  to: [{ipBlock: {cidr: 169.254.169.252/32}}]
{{- end }}
{{- if eq .Values.source.type "gitSync" }}
{{ include "sconverge.egressRule" (dict "to" .Values.networkPolicy.egress.git "ports" (list (include "sconverge.port" .Values.gitSync.repo))) }}
{{- end }}
{{- with .Values.networkPolicy.egress.extra }}
{{ toYaml . }}
{{- end }}
{{- end -}}
