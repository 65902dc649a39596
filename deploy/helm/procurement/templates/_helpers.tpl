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

{{/* Variables as the data of a ConfigMap: (list values defaults). A value may be empty. */}}
{{- define "procurement.variables" -}}
{{- range $name, $value := mergeOverwrite (dict) (index . 1) (index . 0) }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{/* Refuses values of services that nothing reads: (list values services servicesWithSettings). */}}
{{- define "procurement.checkServices" -}}
{{- $services := index . 1 }}
{{- $withSettings := index . 2 }}
{{- range $name, $values := index . 0 }}
{{- if not (has $name $services) }}
{{- fail (printf "services.%s: no such service; there are %s" $name (join ", " $services)) }}
{{- end }}
{{- if and (hasKey $values "settings") (not (has $name $withSettings)) }}
{{- fail (printf "services.%s.settings: %s has no settings of its own; use `settings`, which all services read" $name $name) }}
{{- end }}
{{- end }}
{{- end }}
