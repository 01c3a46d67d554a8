{{/*
What contradicts itself in the values, one sentence a line: what, where, how to mend. The schema has refused wrong types and
unknown keys before. Every sentence has a test in tests/charts.
*/}}
{{- define "sconverge.problems" -}}
{{- include "sconverge.configProblems" . -}}
{{- include "sconverge.sourceProblems" . -}}
{{- include "sconverge.listenProblems" . -}}
{{- include "sconverge.podProblems" . -}}
{{- if .Values.gateway.enabled }}{{ include "sconverge.gatewayProblems" . }}{{ end -}}
{{- end -}}

{{- define "sconverge.gatewayProblems" -}}
{{- if not .Values.slurm.url }}
gateway.enabled: a gateway stands in front of the slurmrestd of slurm, which is not given; set slurm.url, slurm.user and slurm.tokenSecret.name
{{- end }}
{{- with .Values.gateway }}
{{- range $key := list "project" "region" "cluster" }}
{{- if not (get $.Values.gateway $key) }}
gateway.{{ $key }}: callers name the cluster by project, region and cluster; set it, e.g. to what they used with Google
{{- end }}
{{- end }}
{{- if not .tokens.secretName }}
gateway.tokens.secretName: the Secret with the tokens of the callers is not given; make one with the key {{ .tokens.key }} and set its name
{{- end }}
{{- if not .tls.secretName }}
gateway.tls.secretName: tokens must not travel unprotected; set it to a Secret with tls.crt and tls.key
{{- end }}
{{- end }}
{{- end -}}

{{- define "sconverge.configProblems" -}}
{{- $short := list -}}
{{- if .Values.slurm.url }}{{ $short = append $short "slurm" }}{{ end -}}
{{- with .Values.slurmJobApi }}{{ if or .project .region .cluster }}{{ $short = append $short "slurmJobApi" }}{{ end }}{{ end -}}
{{- if .Values.existingConfigMap }}
{{- if or $short .Values.clusters }}
existingConfigMap: the configuration of ConfigMap {{ .Values.existingConfigMap }} and clusters in the values are both given; keep the clusters in one of them
{{- end }}
{{- $own := .Values.config }}
{{- if or $own.controllerId $own.defaultCluster $own.clusterDefaults (ne $own.interval "10s") (ne $own.pruneGrace "30s") }}
existingConfigMap: the configuration of ConfigMap {{ .Values.existingConfigMap }} is used, and config has values, too; write them into the ConfigMap, or leave existingConfigMap empty
{{- end }}
{{- else if not (or $short .Values.clusters) }}
slurm.url: no cluster is given; set slurm.url, slurm.user and slurm.tokenSecret.name, or slurmJobApi.project, region and cluster, or clusters
{{- end }}
{{- if gt (len $short) 1 }}
slurm.url: slurm and slurmJobApi both describe the cluster "default"; keep one of them, and give the other a name below clusters
{{- end }}
{{- if and $short (hasKey .Values.clusters "default") }}
clusters.default: {{ first $short }} describes the cluster "default", too; keep one of them, or give this one another name
{{- end }}
{{- with .Values.slurm }}
{{- if and (not .url) (or .user .tokenSecret.name .tls.caSecret) }}
slurm.url: slurm.user, tokenSecret or tls is given without an address; set slurm.url, e.g. http://slurmrestd.slurm.svc:6820
{{- end }}
{{- end }}
{{- range $name, $cluster := include "sconverge.clusters" . | fromJson }}
{{- include "sconverge.clusterProblems" (dict "name" $name "cluster" $cluster "path" (and (eq $name "default") (gt (len $short) 0) | ternary "" (printf "clusters.%s." $name))) }}
{{- end }}
{{- $names := include "sconverge.clusters" . | fromJson | keys }}
{{- if and (gt (len $names) 1) (not (has "default" $names)) (not .Values.config.defaultCluster) }}
config.defaultCluster: there are several clusters, and nothing says where specs run that name none; set it to {{ $names | sortAlpha | join " or " }}
{{- end }}
{{- with .Values.config.defaultCluster }}
{{- if not (hasKey (include "sconverge.clusters" $ | fromJson) .) }}
config.defaultCluster: there is no cluster {{ . }}; name one of those below clusters, or "default" for that of slurm or slurmJobApi
{{- end }}
{{- end }}
{{- end -}}

{{/* Takes (dict "name" NAME "cluster" CLUSTER "path" PREFIX); PREFIX leads to the cluster in the values. */}}
{{- define "sconverge.clusterProblems" -}}
{{- $path := .path -}}
{{- $slurm := empty $path | ternary "slurm" (printf "%sslurmrestd" $path) -}}
{{- if and .cluster.slurmrestd .cluster.slurmJobApi }}
{{ $path }}slurmJobApi: a cluster is reached in one way, and slurmrestd is given, too; keep one of them
{{- else if not (or .cluster.slurmrestd .cluster.slurmJobApi) }}
{{ trimSuffix "." $path }}: nothing says how the cluster is reached; set slurmrestd or slurmJobApi in it
{{- end }}
{{- with .cluster.slurmrestd }}
{{- if not .url }}
{{ $slurm }}.url: the address of slurmrestd is not given; set it, e.g. http://slurmrestd.slurm.svc:6820
{{- end }}
{{- if not .user }}
{{ $slurm }}.user: the Slurm user to act as is not given; set it to the user for whom the token was made
{{- end }}
{{- if not (dig "name" "" (default dict .tokenSecret)) }}
{{ $slurm }}.tokenSecret.name: the Secret with the user's token is not given; make one (kubectl create secret generic NAME --from-file=token=FILE) and set its name
{{- end }}
{{- end }}
{{- if and (dig "caSecret" "name" "" .cluster) (hasPrefix "http://" (dig "slurmrestd" "url" (dig "slurmJobApi" "endpoint" "" .cluster) .cluster)) }}
{{ empty $path | ternary "slurm.tls.caSecret" (printf "%scaSecret.name" $path) }}: authorities are given for an address with http://, where no certificate is looked at; write https://, or leave them out
{{- end }}
{{- with .cluster.slurmJobApi }}
{{- include "sconverge.jobApiProblems" (dict "api" . "path" (printf "%sslurmJobApi" $path)) }}
{{- end }}
{{- end -}}

{{- define "sconverge.jobApiProblems" -}}
{{- $path := .path -}}
{{- range $key := list "project" "region" "cluster" }}
{{- if not (get $.api $key) }}
{{ $path }}.{{ $key }}: the cluster's {{ $key }} is not given; the Slurm Job API needs project, region and cluster
{{- end }}
{{- end }}
{{- with .api.endpoint }}
{{- if and (hasPrefix "http://" .) (not (regexMatch "^http://(localhost|127\\.[0-9.]+)(:|/|$)" .)) }}
{{ $path }}.endpoint: access tokens would travel unprotected to {{ . }}; write https:// (http:// is for loopback alone)
{{- end }}
{{- end }}
{{- $credentials := default dict .api.credentials -}}
{{- $ways := list -}}
{{- range $way := list "externalAccount" "configMap" "secret" "accessTokenSecret" }}
{{- if dig $way (eq $way "externalAccount" | ternary "audience" "name") "" $credentials }}{{ $ways = append $ways $way }}{{ end }}
{{- end }}
{{- if gt (len $ways) 1 }}
{{ $path }}.credentials: {{ join " and " $ways }} are given; keep one of them
{{- end }}
{{- if and (dig "externalAccount" "serviceAccountEmail" "" $credentials) (not (has "externalAccount" $ways)) }}
{{ $path }}.credentials.externalAccount.audience: an account to impersonate is given without a provider; set the audience, or annotate serviceAccount for GKE's workload identity
{{- end }}
{{- if and (dig "serviceAccountToken" "audience" "" $credentials) (not (or (has "externalAccount" $ways) (has "configMap" $ways))) }}
{{ $path }}.credentials.serviceAccountToken.audience: nothing would read that token; set externalAccount.audience or configMap.name, or leave it out
{{- end }}
{{- end -}}

{{- define "sconverge.sourceProblems" -}}
{{- $type := .Values.source.type -}}
{{- $given := dict "gitSync.repo" .Values.gitSync.repo "source.existingClaim.name" .Values.source.existingClaim.name "source.configMap.name" .Values.source.configMap.name "source.configMap.files" .Values.source.configMap.files -}}
{{- range $key, $value := $given }}
{{- if and $value (not (contains $type $key)) }}
{{ $key }}: it is given, and source.type is {{ $type }}; leave it out, or set source.type to {{ regexReplaceAll "^source\\." $key "" | splitList "." | first }}
{{- end }}
{{- end }}
{{- with .Values.source }}
{{- if and (eq .type "existingClaim") (not .existingClaim.name) }}
source.existingClaim.name: the claim with the specs is not given; set its name, or another source.type
{{- end }}
{{- if and (eq .type "configMap") (not .configMap.name) (not .configMap.files) }}
source.configMap.name: the ConfigMap with the specs is not given; set its name, or source.configMap.files, or another source.type
{{- end }}
{{- if and .configMap.name .configMap.files }}
source.configMap.files: both an existing ConfigMap and files of one to make are given; keep one of them
{{- end }}
{{- if or (hasPrefix "/" .subPath) (has ".." (splitList "/" .subPath)) }}
source.subPath: {{ .subPath }} leads out of the source; write a path within it, without a leading slash, e.g. clusters/prod/jobs
{{- end }}
{{- if and (eq .type "emptyDir") (not (or $.Values.extraContainers $.Values.initContainers)) }}
source.type: nothing fills an emptyDir; add a container that mounts the volume "specs" to extraContainers or initContainers, or set another source.type
{{- end }}
{{- end }}
{{- if eq $type "gitSync" }}{{ include "sconverge.gitProblems" .Values.gitSync }}{{ end }}
{{- end -}}

{{- define "sconverge.gitProblems" -}}
{{- if not .repo }}
gitSync.repo: the repository with the specs is not given; set it, e.g. https://git.example.com/jobs.git, or another source.type
{{- end }}
{{- $web := regexMatch "^https?://" .repo -}}
{{- if regexMatch "^https?://[^/]*@" .repo }}
gitSync.repo: a user name or password does not belong into the address; put the password into a Secret: gitSync.credentials.type=https, secretName and username
{{- end }}
{{- with .credentials }}
{{- if and (eq .type "none") .secretName }}
gitSync.credentials.type: a Secret is given, and nothing says what is in it; set the type to https or ssh
{{- end }}
{{- if and (ne .type "none") (not .secretName) }}
gitSync.credentials.secretName: the Secret for {{ .type }} is not given; make one with the key {{ eq .type "ssh" | ternary "ssh" "password" }} and set its name
{{- end }}
{{- end }}
{{- if and .repo (eq .credentials.type "https") (not (hasPrefix "https://" .repo)) }}
gitSync.credentials.type: a password is for https://, and gitSync.repo is {{ .repo }}; write an https:// address, or set the type to {{ $web | ternary "none" "ssh" }}
{{- end }}
{{- if and .repo (eq .credentials.type "ssh") $web }}
gitSync.credentials.type: a key is for ssh, and gitSync.repo is {{ .repo }}; write e.g. git@git.example.com:jobs.git, or set the type to https or none
{{- end }}
{{- if and .repo (eq .credentials.type "none") (or (hasPrefix "ssh://" .repo) (regexMatch "^[^/:]+@[^/:]+:" .repo)) }}
gitSync.credentials.type: {{ .repo }} is reached by ssh, which needs a key; set the type to ssh, and secretName
{{- end }}
{{- if and .knownHosts.configMapName (ne .credentials.type "ssh") }}
gitSync.knownHosts.configMapName: servers' keys are for ssh, and gitSync.credentials.type is {{ .credentials.type }}; leave them out
{{- end }}
{{- end -}}

{{- define "sconverge.listenProblems" -}}
{{- with .Values.metrics -}}
{{- $guarded := and .tls.secretName .bearerToken.secretName -}}
{{- $any := or .tls.secretName .bearerToken.secretName -}}
{{- if and .enabled (not .insecure) (not $guarded) }}
metrics.enabled: what other pods reach needs TLS and a token; set metrics.tls.secretName and metrics.bearerToken.secretName, or metrics.insecure=true if a NetworkPolicy or a mesh guards it
{{- end }}
{{- if and .insecure $guarded }}
metrics.insecure: TLS and a token are given, so nothing is insecure; leave it out
{{- end }}
{{- if and (not .enabled) (or $any .insecure) }}
metrics.enabled: metrics.{{ if .tls.secretName }}tls{{ else if .bearerToken.secretName }}bearerToken{{ else }}insecure{{ end }} is given, and nothing listens beyond the pod; set metrics.enabled=true, or leave it out
{{- end }}
{{- end }}
{{- if and .Values.podMonitor.enabled .Values.serviceMonitor.enabled }}
podMonitor.enabled: a ServiceMonitor is enabled, too, and everything would be scraped twice; keep one of them
{{- end }}
{{- range $monitor := list "podMonitor" "serviceMonitor" }}
{{- with get $.Values $monitor }}
{{- if and .enabled (not $.Values.metrics.enabled) }}
{{ $monitor }}.enabled: Prometheus could not reach the metrics; set metrics.enabled=true with metrics.tls.secretName and metrics.bearerToken.secretName, or with metrics.insecure=true
{{- end }}
{{- if and .tlsConfig (not $.Values.metrics.tls.secretName) }}
{{ $monitor }}.tlsConfig: metrics are served without TLS; set metrics.tls.secretName, or leave it out
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.service }}
{{- if ne .type "ClusterIP" }}
{{- if not $.Values.metrics.enabled }}
service.type: a {{ .type }} would show the probes alone; set metrics.enabled=true, or ClusterIP
{{- else if $.Values.metrics.insecure }}
service.type: a {{ .type }} would show metrics and specs to anybody outside; set metrics.tls.secretName and metrics.bearerToken.secretName instead of metrics.insecure, or ClusterIP
{{- end }}
{{- end }}
{{- end }}
{{- $ports := dict -}}
{{- $used := dict "ports.metrics" .Values.ports.metrics "ports.health" .Values.ports.health -}}
{{- if eq .Values.source.type "gitSync" }}{{ $_ := set $used "gitSync.port" .Values.gitSync.port }}{{ end -}}
{{- range $key, $port := $used }}
{{- if hasKey $ports (toString $port) }}
{{ $key }}: {{ $port }} is the port of {{ get $ports (toString $port) }}, too, and the containers share the pod's address; set another one
{{- end }}
{{- $_ := set $ports (toString $port) $key }}
{{- end }}
{{- end -}}

{{- define "sconverge.podProblems" -}}
{{- with .Values.persistence }}
{{- if and (not .enabled) .existingClaim }}
persistence.existingClaim: a claim is given, and persistence.enabled is false; enable it, or leave the claim out
{{- end }}
{{- if and (not .enabled) (not $.Values.config.controllerId) (not $.Values.existingConfigMap) }}
persistence.enabled: without a volume a new pod has a new name and takes its own jobs for somebody else's; set config.controllerId, or persistence.enabled=true
{{- end }}
{{- end }}
{{- with .Values.serviceAccount }}
{{- if and (not .create) .annotations }}
serviceAccount.annotations: they are for an account that the chart makes, and serviceAccount.create is false; annotate the existing account, or set create=true
{{- end }}
{{- end }}
{{- with .Values.podDisruptionBudget }}
{{- if and (ne (toString .minAvailable) "") (ne (toString .maxUnavailable) "") }}
podDisruptionBudget.minAvailable: maxUnavailable is given, too; keep one of them
{{- end }}
{{- if or (has (toString .minAvailable) (list "1" "100%")) (has (toString .maxUnavailable) (list "0" "0%")) }}
podDisruptionBudget: there is one pod, and no drain of its node would ever end; set maxUnavailable to 1
{{- end }}
{{- end }}
{{- if and .Values.networkPolicy.enabled .Values.existingConfigMap (not .Values.networkPolicy.egress.extra) }}
networkPolicy.egress.extra: the clusters' addresses stand in ConfigMap {{ .Values.existingConfigMap }}, which the chart cannot read; add rules for them
{{- end }}
{{- range .Values.extraEnv }}
{{- if has .name (list "SLURM_JWT") }}
extraEnv: {{ .name }} is a token, which anybody who sees the pod could read; put it into a Secret, and name that in slurm.tokenSecret
{{- else if has .name (list "SCONVERGE_CONFIG" "SCONVERGE_SPECS" "SCONVERGE_STATE" "SCONVERGE_LISTEN" "SCONVERGE_HEALTH_LISTEN" "SCONVERGE_TLS_CERT" "SCONVERGE_TLS_KEY" "SCONVERGE_LISTEN_TOKEN_FILE" "SCONVERGE_INSECURE_LISTEN") }}
extraEnv: {{ .name }} would overrule what the chart sets; use source, persistence, ports and metrics
{{- end }}
{{- end }}
{{- range .Values.envFrom }}
{{- if .secretRef }}
envFrom: the variables of Secret {{ .secretRef.name }} could be read by anybody who sees the pod's processes; mount it with extraVolumes and extraVolumeMounts
{{- end }}
{{- end }}
{{- range .Values.extraArgs }}
{{- if has (splitList "=" . | first) (list "--config" "--specs" "--state" "--listen" "--health-listen" "--tls-cert" "--tls-key" "--listen-token-file" "--insecure-listen") }}
extraArgs: {{ . }} would overrule what the chart sets; use source, persistence, ports and metrics
{{- end }}
{{- end }}
{{- range .Values.extraVolumes }}
{{- if has .name (list "config" "secrets" "state" "specs" "tmp" "git-tmp" "git-credentials") }}
extraVolumes: {{ .name }} is a volume of the chart; give yours another name
{{- end }}
{{- end }}
{{- end -}}
