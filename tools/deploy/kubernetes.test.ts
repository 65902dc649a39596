import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkServerIdentity } from 'node:tls';
import { privateKeySetting, publicKeyOf, publicKeysSetting } from '@procurement/kit/runtime/identity-keys';
import { makeCertificates } from '@procurement/nats-certificates/certificates';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { findFaults } from './kubernetes-schemas.ts';
import {
  APPS,
  composeService,
  defaultPort,
  requiredSettings,
  ROOT,
  SERVICES,
  readSettings,
  stopSeconds,
  readText,
  readVariables,
  readYaml,
} from './repository.ts';

const BASE = 'deploy/kubernetes/base';

// Strict shapes: they refuse a misspelt key, which a cluster would silently drop.
const Labels = z.record(z.string(), z.string());
const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.enum(['http', 'operations']) }),
  periodSeconds: z.number(),
  timeoutSeconds: z.number().optional(),
  failureThreshold: z.number().optional(),
});
const Amounts = z.strictObject({ cpu: z.string(), memory: z.string() });
const KeyRef = z.strictObject({ name: z.string(), key: z.string(), optional: z.literal(true).optional() });
const basic = {
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.literal('IfNotPresent'),
  envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) })),
  env: z.array(
    z.union([
      z.strictObject({ name: z.string(), value: z.string() }),
      z.strictObject({ name: z.string(), valueFrom: z.strictObject({ secretKeyRef: KeyRef }) }),
      z.strictObject({ name: z.string(), valueFrom: z.strictObject({ configMapKeyRef: KeyRef }) }),
    ]),
  ),
  resources: z.strictObject({ requests: Amounts, limits: Amounts }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.literal(true).optional() }),
  ),
};
const SecretVolume = z.strictObject({
  secretName: z.string(),
  // Always a choice of keys: a Secret may hold a private key as well.
  items: z.array(z.strictObject({ key: z.string(), path: z.string() })).min(1),
  optional: z.literal(true).optional(),
});
const Spread = z.strictObject({
  maxSkew: z.literal(1),
  topologyKey: z.literal('kubernetes.io/hostname'),
  whenUnsatisfiable: z.literal('ScheduleAnyway'),
  matchLabelKeys: z.tuple([z.literal('pod-template-hash')]),
  labelSelector: z.strictObject({ matchLabels: Labels }),
});
const InitContainer = z.strictObject({ ...basic, command: z.array(z.string()) });
const Container = z.strictObject({
  ...basic,
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.number() })),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  lifecycle: z.strictObject({ preStop: z.strictObject({ exec: z.strictObject({ command: z.array(z.string()) }) }) }),
});
const PodSpec = z.strictObject({
  automountServiceAccountToken: z.literal(false),
  terminationGracePeriodSeconds: z.number(),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.number(),
    runAsGroup: z.number(),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z.tuple([Spread]),
  initContainers: z.tuple([InitContainer]),
  containers: z.tuple([Container]),
  volumes: z.array(
    z.union([
      z.strictObject({ name: z.string(), emptyDir: z.strictObject({ sizeLimit: z.string() }) }),
      z.strictObject({ name: z.string(), configMap: z.strictObject({ name: z.string() }) }),
      z.strictObject({ name: z.string(), secret: SecretVolume }),
    ]),
  ),
});
const Deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: z.strictObject({ name: z.string(), labels: Labels }),
  spec: z.strictObject({
    revisionHistoryLimit: z.number(),
    selector: z.strictObject({ matchLabels: Labels }),
    strategy: z.strictObject({
      type: z.literal('RollingUpdate'),
      rollingUpdate: z.strictObject({ maxSurge: z.number(), maxUnavailable: z.literal(0) }),
    }),
    template: z.strictObject({ metadata: z.strictObject({ labels: Labels, annotations: Labels }), spec: PodSpec }),
  }),
});
const Service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata: z.strictObject({ name: z.string(), labels: Labels }),
  spec: z.strictObject({
    selector: Labels,
    ports: z.array(z.strictObject({ name: z.string(), port: z.number(), targetPort: z.number() })),
  }),
});
const Autoscaler = z.looseObject({
  kind: z.literal('HorizontalPodAutoscaler'),
  spec: z.looseObject({
    scaleTargetRef: z.strictObject({ apiVersion: z.string(), kind: z.literal('Deployment'), name: z.string() }),
    minReplicas: z.number().min(2),
    maxReplicas: z.number(),
  }),
});
const Budget = z.looseObject({
  kind: z.literal('PodDisruptionBudget'),
  spec: z.strictObject({
    maxUnavailable: z.literal(1),
    unhealthyPodEvictionPolicy: z.literal('AlwaysAllow'),
    selector: z.strictObject({ matchLabels: Labels }),
  }),
});
const Secret = z.looseObject({
  kind: z.literal('Secret'),
  metadata: z.looseObject({ name: z.string() }),
  stringData: Labels,
});
const Rule = z.looseObject({ ports: z.array(z.looseObject({ port: z.number() })).optional() });
const Policy = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({
    policyTypes: z.array(z.string()),
    ingress: z.array(Rule).optional(),
    egress: z.array(Rule.extend({ to: z.array(z.unknown()) })).optional(),
  }),
});

function workload(name: string) {
  const documents = readYaml(`${BASE}/${name}.yaml`);
  expect(documents).toHaveLength(4);
  return {
    deployment: Deployment.parse(documents[0]),
    service: Service.parse(documents[1]),
    autoscaler: Autoscaler.parse(documents[2]),
    budget: Budget.parse(documents[3]),
  };
}

/** The ConfigMaps that the base generates from files of variables, by name. */
const generated = new Map(
  ['settings', 'gateway', 'documents', 'register', 'ledger'].map((file) => [
    file === 'settings' ? 'procurement' : file,
    readVariables(`${BASE}/${file}.env`),
  ]),
);
const SECRET_NAMES = /SECRET|PASSWORD|PRIVATE_KEY|DATABASE_URL/;
const shared = generated.get('procurement') ?? {};

/** The variables that a service gets. */
function givenTo(name: string): readonly string[] {
  const [container] = workload(name).deployment.spec.template.spec.containers;
  const maps = container.envFrom.map(({ configMapRef }) => generated.get(configMapRef.name));
  return [
    ...maps.flatMap((variables) => Object.keys(variables ?? { 'no such ConfigMap': '' })),
    ...container.env.map((variable) => variable.name),
  ];
}

/** Values of the Helm chart of NATS. */
const [natsValues] = readYaml('deploy/kubernetes/nats-values.yaml');
const folder = mkdtempSync(join(tmpdir(), 'make-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = envFile('.env', shell('deploy/compose/make-env.sh'));
const secrets = parseSecrets(makeSecrets(env));

function shell(script: string): string {
  return execFileSync('sh', [join(ROOT, script)], { encoding: 'utf8' });
}

function envFile(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** What make-secrets.sh prints. Throws when it fails. */
function makeSecrets(...args: readonly string[]): string {
  return execFileSync('sh', [join(ROOT, 'deploy/kubernetes/make-secrets.sh'), ...args], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

/** The values of Secrets, by name and key. */
function parseSecrets(text: string): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const parsed = parseAllDocuments(text).map((document) => Secret.parse(document.toJS()));
  return new Map(parsed.map(({ metadata, stringData }) => [metadata.name, stringData]));
}

describe.each(SERVICES)('kubernetes: %s', (name) => {
  it('has selectors that find its pods, for Deployment, Service, budget and spreading', () => {
    const { deployment, service, budget } = workload(name);
    const { labels } = deployment.spec.template.metadata;
    const [spread] = deployment.spec.template.spec.topologySpreadConstraints;
    const selectors = [
      deployment.spec.selector.matchLabels,
      service.spec.selector,
      budget.spec.selector.matchLabels,
      spread.labelSelector.matchLabels,
    ];
    for (const selector of selectors) {
      expect(selector).toHaveProperty(['app.kubernetes.io/name'], name);
      expect(labels).toMatchObject(selector);
    }
    expect(labels).toHaveProperty(['app.kubernetes.io/part-of'], 'procurement');
  });

  it('listens on its default port everywhere', async () => {
    const port = await defaultPort(name);
    const { deployment, service } = workload(name);
    const [container] = deployment.spec.template.spec.containers;
    // The gateway has a port of its own for operators, which no Service publishes (rulings R36).
    const operations = name === 'gateway' ? [{ name: 'operations', containerPort: 8093 }] : [];
    expect(container.ports).toEqual([{ name: 'http', containerPort: port }, ...operations]);
    expect(container.env).toContainEqual({ name: 'PORT', value: String(port) });
    expect(service.spec.ports).toEqual([{ name: 'http', port, targetPort: port }]);
    expect(deployment.spec.template.metadata.annotations['prometheus.io/port']).toBe(
      String(operations[0]?.containerPort ?? port),
    );
  });

  it('migrates before its probes begin, with the same image and settings', () => {
    const { initContainers, containers } = workload(name).deployment.spec.template.spec;
    const [migrate, container] = [initContainers[0], containers[0]];
    expect(migrate.command).toEqual(['node', 'dist/main.js', 'migrate']);
    for (const member of ['image', 'env', 'envFrom', 'resources', 'securityContext'] as const)
      expect(migrate[member]).toEqual(container[member]);
  });

  it('is valid by the schemas of Kubernetes', async () => {
    for (const manifest of readYaml(`${BASE}/${name}.yaml`)) expect(await findFaults(manifest)).toEqual([]);
  });

  it('has the time that its end takes', async () => {
    const { containers, terminationGracePeriodSeconds } = workload(name).deployment.spec.template.spec;
    const [command, seconds] = containers[0].lifecycle.preStop.exec.command;
    expect(command).toBe('sleep');
    expect(terminationGracePeriodSeconds).toBe(Number(seconds) + (await stopSeconds(name)));
  });

  it('has liveness and readiness probes on different paths', () => {
    const [container] = workload(name).deployment.spec.template.spec.containers;
    expect(container.livenessProbe.httpGet.path).toBe('/live');
    expect(container.readinessProbe.httpGet.path).toBe('/ready');
    const probed = [container.startupProbe, container.livenessProbe, container.readinessProbe];
    const port = name === 'gateway' ? 'operations' : 'http';
    expect(probed.map(({ httpGet }) => httpGet.port)).toEqual([port, port, port]);
  });

  it('has its own pinned image and its own autoscaler', () => {
    const { deployment, autoscaler } = workload(name);
    expect(deployment.spec.template.spec.containers[0].image).toMatch(
      new RegExp(`^procurement/${name}:\\d+\\.\\d+\\.\\d+$`),
    );
    expect(autoscaler.spec.scaleTargetRef.name).toBe(name);
  });

  it('sets only variables of its configuration, and all required ones', async () => {
    const known = Object.keys(await readSettings(name));
    const given = givenTo(name);
    expect(given.filter((variable) => !known.includes(variable))).toEqual([]);
    expect((await requiredSettings(name)).filter((variable) => !given.includes(variable))).toEqual([]);
  });

  it('sets what compose sets to a value', () => {
    const ofCompose = Object.entries(composeService(name).environment).filter(
      ([, value]) => !/^\$\{\w+:-\}$/.test(value),
    );
    const given = givenTo(name);
    expect(ofCompose.map(([variable]) => variable).filter((variable) => !given.includes(variable))).toEqual([]);
  });

  it('has a user and a password of its own at NATS', () => {
    const [container] = workload(name).deployment.spec.template.spec.containers;
    expect(container.env).toContainEqual({ name: 'NATS_USER', value: name });
    const secretKeyRef = { name: `${name}-nats`, key: 'NATS_PASSWORD' };
    expect(container.env).toContainEqual({ name: 'NATS_PASSWORD', valueFrom: { secretKeyRef } });
  });

  it('trusts the authority of NATS, of whose Secret it mounts the public part only', () => {
    const { initContainers, containers, volumes } = workload(name).deployment.spec.template.spec;
    const secret = { secretName: 'nats-tls', items: [{ key: 'ca.crt', path: 'ca.crt' }], optional: true };
    expect(volumes).toContainEqual({ name: 'nats-tls', secret });
    for (const { volumeMounts } of [...initContainers, ...containers])
      expect(volumeMounts).toContainEqual({ name: 'nats-tls', mountPath: '/etc/nats-tls', readOnly: true });
  });

  it('reads its secrets from those of make-secrets.sh, which it accepts, and none from plain text', async () => {
    const settings = await readSettings(name);
    const [container] = workload(name).deployment.spec.template.spec.containers;
    for (const variable of container.env) {
      if ('value' in variable) expect(variable.name).not.toMatch(SECRET_NAMES);
      else if ('configMapKeyRef' in variable.valueFrom) {
        const { name: map, key } = variable.valueFrom.configMapKeyRef;
        expect(settings[variable.name]?.parse(generated.get(map)?.[key]), `${map}/${key}`).toBeDefined();
        expect(variable.name).not.toMatch(SECRET_NAMES);
      } else {
        const { name: secret, key, optional } = variable.valueFrom.secretKeyRef;
        const value = secrets.get(secret)?.[key];
        if (value === undefined) expect(optional, `${secret}/${key}`).toBe(true);
        else expect(settings[variable.name]?.safeParse(value).success, `${secret}/${key}`).toBe(true);
      }
    }
  });

  it('is in the base and in a network policy', async () => {
    const [base] = readYaml(`${BASE}/kustomization.yaml`);
    expect(base).toMatchObject({ resources: expect.arrayContaining([`${name}.yaml`]) });
    const policy = name === 'gateway' ? 'world-to-gateway' : 'gateway-to-services';
    const ingress = policies().find((found) => found.metadata.name === policy)?.spec.ingress ?? [];
    const ports = ingress.flatMap((rule) => rule.ports ?? []).map((entry) => entry.port);
    expect(ports).toContain(await defaultPort(name));
  });
});

function policies(): readonly z.infer<typeof Policy>[] {
  return readYaml(`${BASE}/network-policies.yaml`).map((document) => Policy.parse(document));
}

describe('make-secrets.sh', () => {
  const ROOM = join(ROOT, 'deploy/auction-room/kubernetes/secrets.template.yaml');
  const ofRoom = shell('deploy/auction-room/make-env.sh');

  it('makes the 24 Secrets of services and auction room, with the passwords of the .env', () => {
    const room = `${ofRoom}ROOM_API_KEY=it's \${ROOM_API_KEY}\nOPERATOR_KEYS="operator:00"\n`;
    const made = new Map([...secrets, ...parseSecrets(makeSecrets(envFile('room.env', room), ROOM))]);
    expect(made.size).toBe(24);
    expect(made.get('auction-room')).toMatchObject({
      ROOM_API_KEY: "it's ${ROOM_API_KEY}",
      OPERATOR_KEYS: 'operator:00',
    });
    const password = /^TENDERS_DB_PASSWORD=(.*)$/m.exec(readFileSync(env, 'utf8'))?.[1];
    expect(made.get('tenders-database')?.['DATABASE_URL']).toBe(
      `postgresql://tenders:${password}@postgres:5432/tenders`,
    );
    const key = privateKeySetting.parse(made.get('gateway-identity')?.['IDENTITY_PRIVATE_KEY']);
    const publicKeys = publicKeysSetting.parse(made.get('procurement-shared')?.['IDENTITY_PUBLIC_KEYS']);
    expect(publicKeys).toEqual([publicKeyOf(key)]);
    expect(JSON.stringify([...secrets])).not.toContain('${');
  });

  it('prints nothing when a value is missing or empty, and names it', () => {
    for (const line of ['# ROOM_API_KEY=key', 'ROOM_API_KEY=']) {
      const run = spawnSync('sh', [
        join(ROOT, 'deploy/kubernetes/make-secrets.sh'),
        envFile('part.env', `${ofRoom}${line}\n`),
        ROOM,
      ]);
      expect([run.status, String(run.stdout)]).toEqual([1, '']);
      expect(String(run.stderr)).toContain('set ROOM_API_KEY in ');
    }
  });

  it('refuses a file that it cannot read', () => {
    expect(() => makeSecrets('/nothing/.env')).toThrow('cannot read /nothing/.env');
  });
});

describe('kubernetes: auction-room', () => {
  const documents = readYaml('deploy/auction-room/kubernetes/auction-room.yaml');

  it('spreads the pods of a release over the nodes, and lets a drain end while they are not ready', () => {
    const Spec = z.looseObject({ topologySpreadConstraints: z.tuple([Spread]) });
    const { spec } = z.object({ spec: z.object({ template: z.object({ spec: Spec }) }) }).parse(documents[0])
      .spec.template;
    const budget = Budget.parse(documents[3]);
    for (const { matchLabels } of [spec.topologySpreadConstraints[0].labelSelector, budget.spec.selector])
      expect(matchLabels).toEqual({ 'app.kubernetes.io/name': 'auction-room' });
  });
});

describe('kubernetes', () => {
  it.each([
    `${BASE}/network-policies.yaml`,
    `${BASE}/nats-users.yaml`,
    `${BASE}/secrets.template.yaml`,
    `${BASE}/verify.yaml`,
    'deploy/kubernetes/nats-certificates/certificates.yaml',
    'deploy/kubernetes/overlays/example/ingress.yaml',
    'deploy/kubernetes/overlays/example/namespace.yaml',
  ])('is valid by the schemas of Kubernetes: %s', async (path) => {
    for (const manifest of readYaml(path)) expect(await findFaults(manifest)).toEqual([]);
  });

  it('finds a fault that the schemas of Kubernetes exclude', async () => {
    const manifest = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas: 'two' } };
    expect(await findFaults(manifest)).not.toEqual([]);
  });

  it('lets documents, register and ledger alone reach the object store, and all pods PostgreSQL, NATS, DNS and the receiver of traces only', () => {
    const out = policies().filter(({ spec }) => spec.egress !== undefined);
    expect(
      out.map(({ metadata, spec }) => [
        metadata.name,
        spec.egress?.flatMap(({ ports }) => ports?.map(({ port }) => port)),
      ]),
    ).toEqual([
      ['all-to-dns', [53, 53]],
      ['all-to-postgres', [5432]],
      ['all-to-nats', [4222]],
      ['all-to-traces', [4318]],
      ['files-to-store', [9000]],
      ['gateway-out', [8081, 8082, 8083, 8084, 8085, 8086, 8087]],
      // Webhooks, and witnesses of the ledger, to any port.
      ['services-to-internet', [undefined]],
    ]);
    for (const { spec } of out) for (const { to } of spec.egress ?? []) expect(to).not.toEqual([]);
  });

  it('lets register and ledger alone reach what is outside of the cluster, and no private address there', () => {
    const outside = policies().filter(({ spec }) => JSON.stringify(spec.egress ?? []).includes('ipBlock'));
    expect(outside.map(({ metadata }) => metadata.name)).toEqual(['services-to-internet']);
    const [{ podSelector, egress }] = z
      .tuple([z.looseObject({ podSelector: z.unknown(), egress: z.tuple([z.object({ to: z.array(z.unknown()) })]) })])
      .parse(outside.map(({ spec }) => spec));
    expect(podSelector).toEqual({
      matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: ['register', 'ledger'] }],
    });
    const blocks = JSON.stringify(egress);
    for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8'])
      expect(blocks).toContain(range);
  });

  it('has the connections that the README and docs/scaling.md add up', () => {
    // The pool and the relay; the register has one more, which follows. The ledger has a writer instead of a relay.
    const ofPod = (name: string): number => Number(shared['DATABASE_CONNECTIONS_MAX']) + (name === 'register' ? 2 : 1);
    const sum = SERVICES.reduce((total, name) => total + workload(name).autoscaler.spec.maxReplicas * ofPod(name), 0);
    const rollOut = SERVICES.reduce((total, name) => total + ofPod(name), 0);
    expect(readText('deploy/README.md')).toContain(`${sum} connections, and ${rollOut} more during a roll-out of all`);
    expect(readText('docs/scaling.md')).toContain(`${sum} at the most pods of \`deploy/kubernetes\``);
  });

  it('verifies the databases that the services have, on request only', () => {
    const Spec = z.object({ containers: z.tuple([z.looseObject({ image: z.string(), env: basic.env })]) });
    const Verify = z.object({
      kind: z.literal('CronJob'),
      spec: z.looseObject({
        suspend: z.literal(true),
        jobTemplate: z.object({ spec: z.looseObject({ template: z.looseObject({ spec: Spec }) }) }),
      }),
    });
    const [container] = Verify.parse(readYaml(`${BASE}/verify.yaml`)[0]).spec.jobTemplate.spec.template.spec.containers;
    const expected = SERVICES.map((name) => ({
      name: `${name.toUpperCase()}_DATABASE_URL`,
      valueFrom: { secretKeyRef: { name: `${name}-database`, key: 'DATABASE_URL' } },
    }));
    expect(new Set(container.env)).toEqual(new Set(expected));
  });

  it('denies all traffic by default', () => {
    const [closed] = policies();
    expect(closed?.metadata.name).toBe('closed');
    expect(closed?.spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'procurement' } },
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('has a certificate that Node accepts for every host of NATS_URL, signed by an authority that no pod mounts', async () => {
    const Certificate = z.looseObject({
      kind: z.literal('Certificate'),
      spec: z.looseObject({
        secretName: z.string(),
        dnsNames: z.array(z.string()).default([]),
        isCA: z.boolean().optional(),
      }),
    });
    const certificates = readYaml('deploy/kubernetes/nats-certificates/certificates.yaml')
      .map((document) => Certificate.safeParse(document).data?.spec)
      .filter((spec) => spec !== undefined);
    const [authority, server] = [true, undefined].map((isCA) => certificates.find((spec) => spec.isCA === isCA));
    expect([authority?.secretName, server?.secretName]).toEqual(['nats-authority', 'nats-tls']);
    for (const name of SERVICES) expect(readText(`${BASE}/${name}.yaml`)).not.toContain('nats-authority');
    expect(shared['NATS_CA_FILE']).toBe('/etc/nats-tls/ca.crt');
    const overlay = readText('deploy/kubernetes/overlays/example/settings.env');
    const ofPods = /^NATS_URL=(.*)$/m.exec(overlay)?.[1]?.split(',') ?? [];
    expect(natsValues).toMatchObject({ config: { cluster: { replicas: ofPods.length } } });
    const addresses = [shared['NATS_URL'] ?? '', ...ofPods];
    expect(addresses).toHaveLength(4);
    const made = await makeCertificates(server?.dnsNames ?? [], new Date());
    const certificate = new X509Certificate(made.certificate).toLegacyObject();
    for (const address of addresses) {
      const { protocol, hostname } = new URL(address);
      expect(protocol).toBe('tls:');
      expect(checkServerIdentity(hostname, certificate)).toBe(undefined);
    }
  });

  it('has values for the chart of NATS that the pod security standard of the namespace admits', () => {
    const Restricted = z.strictObject({
      allowPrivilegeEscalation: z.literal(false),
      capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
    });
    const Pod = z.looseObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.number().positive(),
      // Makes the volume of JetStream writable for that user.
      fsGroup: z.number().positive(),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    });
    const InContainer = z.looseObject({ merge: z.strictObject({ securityContext: Restricted }) });
    const Chart = z.looseObject({
      container: InContainer,
      reloader: InContainer,
      podTemplate: z.looseObject({ merge: z.looseObject({ spec: z.strictObject({ securityContext: Pod }) }) }),
      natsBox: z.strictObject({ enabled: z.literal(false) }),
    });
    expect(() => Chart.parse(natsValues)).not.toThrow();
    const [namespace] = readYaml('deploy/kubernetes/overlays/example/namespace.yaml');
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    expect(namespace).toMatchObject({ metadata: { labels } });
  });

  it('is installed by the README in the order that works', () => {
    const readme = readText('deploy/README.md');
    const [, kubernetes = ''] = readme.split('\n## Kubernetes\n');
    const steps = [
      'cert-manager.yaml',
      'overlays/example/namespace.yaml',
      'test -e .env || sh deploy/compose/make-env.sh > .env',
      'sh deploy/kubernetes/make-secrets.sh | kubectl --namespace procurement apply --server-side -f -',
      'helm install nats nats --repo',
      'kubectl apply --server-side -k deploy/kubernetes/overlays/example',
      'brokers add',
    ];
    const places = steps.map((step) => kubernetes.indexOf(step));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(kubernetes).not.toMatch(/kubectl apply (?!--server-side)/);
  });

  it('names in the overlay the images of the services, the verification and the apps', () => {
    const [overlay] = readYaml('deploy/kubernetes/overlays/example/kustomization.yaml');
    const { images } = z.object({ images: z.array(z.object({ name: z.string() })) }).parse(overlay);
    const expected = [...SERVICES, ...APPS, 'verify'].map((name) => `procurement/${name}`);
    expect(new Set(images.map(({ name }) => name))).toEqual(new Set(expected));
  });

  it('gives NATS the password of every service, from the Secret of that service', () => {
    const passwords = SERVICES.map((name) => [
      `NATS_${name.toUpperCase()}_PASSWORD`,
      { valueFrom: { secretKeyRef: { name: `${name}-nats`, key: 'NATS_PASSWORD' } } },
    ]);
    expect(natsValues).toMatchObject({ container: { env: Object.fromEntries(passwords) } });
  });

  it('leaves the sandbox off', () => {
    expect(shared['SANDBOX_MODE']).toBe('off');
  });

  it('lists every manifest in a kustomization, except the template of the Secrets', () => {
    for (const folder of [BASE, 'deploy/kubernetes/overlays/example']) {
      const [file] = readYaml(`${folder}/kustomization.yaml`);
      const Kustomization = z.looseObject({
        resources: z.array(z.string()),
        configMapGenerator: z.array(
          z.strictObject({
            name: z.string(),
            behavior: z.literal('merge').optional(),
            envs: z.array(z.string()).default([]),
            files: z.array(z.string()).default([]),
          }),
        ),
      });
      const { resources, configMapGenerator: maps } = Kustomization.parse(file);
      const sources = maps.flatMap(({ envs, files }) => [...envs, ...files]);
      const listed = [...resources.filter((path) => path.endsWith('.yaml')), ...sources];
      const present = readdirSync(join(ROOT, folder)).filter((path) => path !== 'kustomization.yaml');
      expect(listed.toSorted()).toEqual(present.filter((path) => path !== 'secrets.template.yaml').toSorted());
    }
  });
});
