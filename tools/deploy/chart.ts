import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, readText, readVariables } from './repository.ts';

const BASE = 'deploy/kubernetes/base';
const CHART = 'deploy/helm/procurement';
const PORTAL = 'deploy/portal/kubernetes';

/** The order in which databases are migrated: who follows others comes after them. */
export const MIGRATION_ORDER = [
  'tenders',
  'bids',
  'awards',
  'documents',
  'auction',
  'register',
  'ledger',
  'gateway',
] as const;

/** Services with settings of their own. Their ConfigMap has their name. */
const WITH_SETTINGS = MIGRATION_ORDER.filter((service) => existsSync(join(ROOT, BASE, `${service}.env`)));

/** What the migrations of an upgrade read: hooks run before the ConfigMaps of the new release are there. */
const OF_MIGRATIONS = 'migration-';

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
function writeTemplate(manifest: string, service: string): string {
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
  const deployments = MIGRATION_ORDER.map((service) => [
    `templates/${service}.yaml`,
    writeTemplate(readText(`${BASE}/${service}.yaml`), service),
  ]);
  return {
    ...Object.fromEntries(own.map((path) => [path, readText(`${CHART}/${path}`)])),
    'Chart.yaml': readText(`${CHART}/Chart.yaml`).replaceAll(/ersion: 0\.0\.0$/gm, `ersion: ${version}`),
    ...Object.fromEntries(deployments),
    'templates/migrations.yaml': migrationsTemplate(),
    'templates/settings.yaml': settingsTemplate(),
    'templates/verify.yaml': writeTemplate(readText(`${BASE}/verify.yaml`), 'verify'),
    'templates/nats-users.yaml': readText(`${BASE}/nats-users.yaml`),
    'templates/nats-certificates.yaml': onlyIf(
      'natsCertificates',
      readText('deploy/kubernetes/nats-certificates/certificates.yaml'),
    ),
    'templates/network-policies.yaml': onlyIf('networkPolicies', networkPolicies()),
    'templates/portal.yaml': onlyIf('portal', portalTemplate()),
    'files/alerts.yml': readText('deploy/observability/alerts.yml'),
    'files/calendar.json': readText(`${BASE}/calendar.json`),
  };
}

/** Writes the files of a chart into a folder. */
export function writeChart(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function onlyIf(value: string, template: string): string {
  return `{{- if .Values.${value}.enabled }}\n${template}{{- end }}\n`;
}

interface ConfigMap {
  readonly name: string;
  /** The lines of `data`. */
  readonly data: string;
}

function variables(name: string, values: string, path: string): ConfigMap {
  const defaults = Object.entries(readVariables(path)).map(([variable, value]) => `"${variable}" "${value}"`);
  return {
    name,
    data: `{{- include "procurement.variables" (list ${values} (dict ${defaults.join(' ')})) | nindent 2 }}`,
  };
}

/** The ConfigMaps that pods of services read. */
const CONFIG_MAPS: readonly ConfigMap[] = [
  variables('procurement', '.Values.settings', `${BASE}/settings.env`),
  ...WITH_SETTINGS.map((service) =>
    variables(service, `(dig "${service}" "settings" (dict) .Values.services)`, `${BASE}/${service}.env`),
  ),
  {
    name: 'calendar',
    data: 'calendar.json: {{ .Values.calendar | default (.Files.Get "files/calendar.json") | quote }}',
  },
];

function configMap({ name, data }: ConfigMap, annotations: readonly string[] = []): string {
  return [
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata:',
    `  name: ${name}`,
    '  labels: { app.kubernetes.io/part-of: procurement }',
    ...annotations,
    'data:',
    `  ${data}`,
    '',
  ].join('\n');
}

function settingsTemplate(): string {
  const formatList = (services: readonly string[]): string => `(list ${services.map((name) => `"${name}"`).join(' ')})`;
  const [services, withSettings] = [formatList(MIGRATION_ORDER), formatList(WITH_SETTINGS)];
  const portal = configMap(variables('portal', '.Values.portal.settings', `${PORTAL}/portal.env`));
  const maps = [...CONFIG_MAPS.map((map) => configMap(map)), onlyIf('portal', portal)];
  return `{{- include "procurement.checkServices" (list .Values.services ${services} ${withSettings}) }}\n${maps.join('---\n')}`;
}

/** Makes an object one of an upgrade, made before the others of a higher weight and deleted when all migrations are done. */
function hook(weight: number): readonly string[] {
  return [
    '  annotations:',
    '    helm.sh/hook: pre-upgrade',
    `    helm.sh/hook-weight: '${weight}'`,
    '    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded',
  ];
}

/** The lines of a text from the first that begins so, up to the one that begins so. */
function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start);
  if (start < 0 || end < 0) throw new Error(`a manifest has no part from "${from.trim()}" to "${to.trim()}"`);
  return text.slice(start, end);
}

/** Jobs that run before an upgrade in the order of MIGRATION_ORDER. Each has the pod of its deployment, with the migration as its container. */
function migrationsTemplate(): string {
  const jobs = MIGRATION_ORDER.map((service, weight) => {
    const manifest = readText(`${BASE}/${service}.yaml`);
    const pod = between(manifest, '      automountServiceAccountToken', '      # preStop, SHUTDOWN_LINGER_SECONDS');
    const job = [
      'apiVersion: batch/v1',
      'kind: Job',
      'metadata:',
      `  name: migrate-${service}`,
      ...hook(weight),
      'spec:',
      '  # A database that was away for a moment, or a node that went, stops no upgrade. A migration that failed fails again.',
      '  backoffLimit: 2',
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
    return writeTemplate(job, service).replaceAll(/(configMap(?:Ref|KeyRef)?: \{ name: )/g, `$1${OF_MIGRATIONS}`);
  });
  const settings = CONFIG_MAPS.map((map) => configMap({ ...map, name: `${OF_MIGRATIONS}${map.name}` }, hook(-1)));
  return `{{- if .Values.migrations.job }}\n${[...settings, ...jobs].join('---\n')}{{- end }}\n`;
}

function networkPolicies(): string {
  const policies = readText(`${BASE}/network-policies.yaml`);
  const dns = between(
    policies,
    '    - to:\n        - namespaceSelector:\n            matchLabels: { kubernetes.io',
    '      ports:',
  );
  return policies.replace(dns, '    - to: {{ toYaml .Values.networkPolicies.dns | nindent 8 }}\n');
}

function portalTemplate(): string {
  return writeTemplate(
    [readText(`${PORTAL}/portal.yaml`), readText(`${PORTAL}/network-policies.yaml`)].join('---\n'),
    'portal',
  );
}
