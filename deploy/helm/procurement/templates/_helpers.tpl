{{/* The image of a program: (list . "gateway"). */}}
{{- define "procurement.image" -}}
{{- $chart := index . 0 -}}
{{ $chart.Values.images.repository }}/{{ index . 1 }}:{{ $chart.Values.images.tag | default $chart.Chart.AppVersion }}
{{- end }}

{{/* The name of a Secret that exists: (list . "gateway-database"). */}}
{{- define "procurement.secret" -}}
{{- $chart := index . 0 -}}
{{ get $chart.Values.secrets (index . 1) | default (index . 1) }}
{{- end }}

{{/* Variables as the data of a ConfigMap: (list values defaults). */}}
{{- define "procurement.variables" -}}
{{- range $name, $value := merge (dict) (index . 0) (index . 1) }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end }}
