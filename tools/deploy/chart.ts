import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, textOf } from './repository.ts';

const BASE = 'deploy/kubernetes/base';
const CHART = 'deploy/helm/procurement';
const PORTAL = 'deploy/portal/kubernetes';

/** The order in which databases are migrated: who follows others comes after them. */
const SERVICES = ['tenders', 'bids', 'awards', 'documents', 'auction', 'register', 'gateway'] as const;

/** Services with settings of their own. Their ConfigMap has their name. */
const WITH_SETTINGS = ['gateway', 'documents', 'register'] as const;

interface Rule {
  readonly find: RegExp;
  readonly put: (service: string, ...groups: string[]) => string;
}

/** What an installation chooses, in the lines of a manifest. Each rule keeps the value of the manifest as the default. */
const RULES: readonly Rule[] = [
  {
    find: /image: procurement\/([a-z-]+):[\d.]+$/,
    put: (_service, name) => `image: {{ include "procurement.image" (list . "${name}") }}`,
  },
  { find: /imagePullPolicy: IfNotPresent$/, put: () => 'imagePullPolicy: {{ .Values.images.pullPolicy }}' },
  {
    find: /secretKeyRef: \{ name: ([a-z-]+),/,
    put: (_service, name) => `secretKeyRef: { name: {{ include "procurement.secret" (list . "${name}") }},`,
  },
  {
    find: /secret: \{ secretName: ([a-z-]+),/,
    put: (_service, name) => `secret: { secretName: {{ include "procurement.secret" (list . "${name}") }},`,
  },
  {
    find: /(requests|limits): \{ cpu: '?([\dm]+)'?, memory: (\w+) \}$/,
    put: (service, kind, cpu, memory) =>
      `${kind}: {{ dig "${service}" "resources" "${kind}" (dict "cpu" "${cpu}" "memory" "${memory}") .Values.services | toJson }}`,
  },
  {
    find: /(min|max)Replicas: (\d+)$/,
    put: (service, bound, count) =>
      `${bound}Replicas: {{ dig "${service}" "replicas" "${bound}" ${count} .Values.services }}`,
  },
  {
    // A pod reads its variables at its start only.
    find: /^ {6}annotations:$/,
    put: () =>
      '      annotations:\n        checksum/settings: {{ include (print .Template.BasePath "/settings.yaml") . | sha256sum }}',
  },
  {
    find: /^( +)automountServiceAccountToken: false$/,
    put: (_service, indent) =>
      [
        `${indent}automountServiceAccountToken: false`,
        `${indent}{{- with .Values.priorityClassName }}`,
        `${indent}priorityClassName: {{ . }}`,
        `${indent}{{- end }}`,
        `${indent}{{- with .Values.images.pullSecrets }}`,
        `${indent}imagePullSecrets: {{ toJson . }}`,
        `${indent}{{- end }}`,
      ].join('\n'),
  },
];

/** A manifest with the values of the chart in it. */
function templateOf(manifest: string, service: string): string {
  const lines = manifest.split('\n').map((line) => {
    const rule = RULES.find(({ find }) => find.test(line));
    return rule === undefined
      ? line
      : line.replace(rule.find, (_match, ...groups: unknown[]) => rule.put(service, ...groups.map(String)));
  });
  return lines.join('\n');
}

/** The files of the chart by their path in it: what is written by hand, and what is made of the manifests. */
export function chartFiles(version: string): Readonly<Record<string, string>> {
  const own = readdirSync(join(ROOT, CHART), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(ROOT, CHART).length + 1));
  const deployments = SERVICES.map((service) => [
    `templates/${service}.yaml`,
    templateOf(textOf(`${BASE}/${service}.yaml`), service),
  ]);
  return {
    ...Object.fromEntries(own.map((path) => [path, textOf(`${CHART}/${path}`)])),
    'Chart.yaml': textOf(`${CHART}/Chart.yaml`).replaceAll(/ersion: 0\.0\.0$/gm, `ersion: ${version}`),
    ...Object.fromEntries(deployments),
    'templates/migrations.yaml': migrationsTemplate(),
    'templates/settings.yaml': settingsTemplate(),
    'templates/verify.yaml': templateOf(textOf(`${BASE}/verify.yaml`), 'verify'),
    'templates/nats-users.yaml': textOf(`${BASE}/nats-users.yaml`),
    'templates/nats-certificates.yaml': onlyIf(
      'natsCertificates',
      textOf('deploy/kubernetes/nats-certificates/certificates.yaml'),
    ),
    'templates/network-policies.yaml': onlyIf('networkPolicies', networkPolicies()),
    'templates/portal.yaml': onlyIf('portal', portalTemplate()),
    'files/alerts.yml': textOf('deploy/observability/alerts.yml'),
    'files/calendar.json': textOf(`${BASE}/calendar.json`),
  };
}

function onlyIf(value: string, template: string): string {
  return `{{- if .Values.${value}.enabled }}\n${template}{{- end }}\n`;
}

/** Names and values of a file of variables. */
function variablesOf(path: string): readonly (readonly [string, string])[] {
  return textOf(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}

function configMap(name: string, values: string, path: string): string {
  const defaults = variablesOf(path).map(([variable, value]) => `"${variable}" "${value}"`);
  return [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata:',
    `  name: ${name}`,
    '  labels: { app.kubernetes.io/part-of: procurement }',
    'data:',
    `  {{- include "procurement.variables" (list ${values} (dict ${defaults.join(' ')})) | nindent 2 }}`,
    '',
  ].join('\n');
}

function settingsTemplate(): string {
  return [
    configMap('procurement', '.Values.settings', `${BASE}/settings.env`),
    ...WITH_SETTINGS.map((service) =>
      configMap(service, `(dig "${service}" "settings" (dict) .Values.services)`, `${BASE}/${service}.env`),
    ),
    [
      'apiVersion: v1',
      'kind: ConfigMap',
      'metadata:',
      '  name: calendar',
      '  labels: { app.kubernetes.io/part-of: procurement }',
      'data:',
      '  calendar.json: {{ .Values.calendar | default (.Files.Get "files/calendar.json") | quote }}',
      '',
    ].join('\n'),
    onlyIf('portal', configMap('portal', '.Values.portal.settings', `${PORTAL}/portal.env`)),
  ].join('---\n');
}

/** The lines of a text from the first that begins so, up to the one that begins so. */
function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start);
  if (start < 0 || end < 0) throw new Error(`a manifest has no part from "${from.trim()}" to "${to.trim()}"`);
  return text.slice(start, end);
}

/** Jobs that run before an upgrade in the order of SERVICES. Each has the pod of its deployment, with the migration as its container. */
function migrationsTemplate(): string {
  const jobs = SERVICES.map((service, weight) => {
    const manifest = textOf(`${BASE}/${service}.yaml`);
    const pod = between(manifest, '      automountServiceAccountToken', '      # preStop, SHUTDOWN_LINGER_SECONDS');
    const job = [
      'apiVersion: batch/v1',
      'kind: Job',
      'metadata:',
      `  name: migrate-${service}`,
      '  annotations:',
      '    helm.sh/hook: pre-upgrade',
      `    helm.sh/hook-weight: '${weight}'`,
      '    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded',
      'spec:',
      '  # A migration that failed fails again.',
      '  backoffLimit: 0',
      '  template:',
      '    metadata:',
      `      labels: { app.kubernetes.io/name: ${service}-migration, app.kubernetes.io/part-of: procurement }`,
      '    spec:',
      '      restartPolicy: Never',
      `${pod}${between(manifest, '      securityContext:\n', '      topologySpreadConstraints:')}      containers:`,
      between(manifest, '        - name: migrate\n', '      containers:\n') +
        between(manifest, '      volumes:\n', '---\n').trimEnd(),
      '',
    ].join('\n');
    return templateOf(job, service);
  });
  return `{{- if .Values.migrations.job }}\n${jobs.join('---\n')}{{- end }}\n`;
}

function networkPolicies(): string {
  const policies = textOf(`${BASE}/network-policies.yaml`);
  const dns = between(
    policies,
    '    - to:\n        - namespaceSelector:\n            matchLabels: { kubernetes.io',
    '      ports:',
  );
  return policies.replace(dns, '    - to: {{ toYaml .Values.networkPolicies.dns | nindent 8 }}\n');
}

function portalTemplate(): string {
  return templateOf(
    [textOf(`${PORTAL}/portal.yaml`), textOf(`${PORTAL}/network-policies.yaml`)].join('---\n'),
    'portal',
  );
}
