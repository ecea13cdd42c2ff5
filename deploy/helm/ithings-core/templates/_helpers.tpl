{{- define "ithings.name" -}}
{{- if contains "ithings-core" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-ithings-core" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Of one part: "server" or "haproxy". */}}
{{- define "ithings.selector" -}}
app.kubernetes.io/name: ithings-core
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "ithings.labels" -}}
{{ include "ithings.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "ithings.secret" -}}
{{ .Values.existingSecret | default (include "ithings.name" .) }}
{{- end }}
