import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { chartFiles, MIGRATION_ORDER, writeChart } from './chart.ts';
import { findFaults } from './kubernetes-schemas.ts';
import { SERVICES, readText, readYaml } from './repository.ts';

const VERSION = '1.2.3';
const BASE = 'deploy/kubernetes/base';
const files = chartFiles(VERSION);
const folder = mkdtempSync(join(tmpdir(), 'chart-'));
/** `HELM` names a program elsewhere. */
const helm = process.env['HELM'] ?? 'helm';
const hasHelm = spawnSync(helm, ['version']).status === 0;

const Named = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) });
type Named = z.infer<typeof Named>;

function template(name: string): string {
  const text = files[`templates/${name}.yaml`];
  if (text === undefined) throw new Error(`the chart has no template ${name}`);
  return text;
}

function rendered(...values: string[]): readonly Named[] {
  const sets = values.flatMap((value) => ['--set-json', value]);
  const text = execFileSync(
    helm,
    ['template', 'release', folder, '--namespace', 'tenders', '--kube-version', '1.36.0', ...sets],
    {
      encoding: 'utf8',
    },
  );
  return parseAllDocuments(text)
    .map((document): unknown => document.toJS())
    .filter((document) => document !== null)
    .map((document) => Named.parse(document));
}

/** A manifest of the base as the chart makes it with no value of an installation. */
function asInstalled(manifest: unknown): unknown {
  const text = JSON.stringify(manifest).replaceAll(
    /"procurement\/([a-z-]+):[\d.]+"/g,
    `"images.example.org/procurement/$1:${VERSION}"`,
  );
  return JSON.parse(text);
}

function withoutChecksum(manifest: unknown): unknown {
  return JSON.parse(JSON.stringify(manifest).replace(/"checksum\/settings":"[0-9a-f]{64}",?/, ''));
}

beforeAll(() => writeChart(folder, files));

afterAll(() => rmSync(folder, { recursive: true }));

describe('the chart', () => {
  it('has the version of the repository', () => {
    expect(parse(files['Chart.yaml'] ?? '')).toMatchObject({ version: VERSION, appVersion: VERSION });
  });

  it.each(SERVICES)('takes image, Secrets, amounts and replicas of %s from values', (service) => {
    const text = template(service);
    expect(text).not.toMatch(
      /image: procurement|secretKeyRef: \{ name: [a-z]|secretName: nats|requests: \{ cpu|Replicas: \d/,
    );
    expect(text).toContain(`dig "${service}" "replicas" "max"`);
    expect(text).toContain('checksum/settings');
  });

  it('migrates in order, with the variables and volumes of the deployment', () => {
    const jobs = template('migrations')
      .split('---\n')
      .filter((object) => object.includes('kind: Job'));
    expect(jobs.map((job) => /migrate-([a-z]+)/.exec(job)?.[1])).toEqual(MIGRATION_ORDER);
    expect(MIGRATION_ORDER.toSorted()).toEqual(SERVICES);
    for (const job of jobs) expect(job).toContain('command: [node, dist/main.js, migrate]');
  });

  it('has the network policies of the manifests, where only who answers DNS is a value', () => {
    const policies = readText(`${BASE}/network-policies.yaml`).split('---\n');
    const [dns, ...others] = policies.filter((policy) => !template('network-policies').includes(policy));
    expect(dns).toContain('name: all-to-dns');
    expect(others).toEqual([]);
  });
});

describe.skipIf(!hasHelm)('the chart by helm', () => {
  it('passes lint', () => {
    expect(execFileSync(helm, ['lint', '--strict', folder], { encoding: 'utf8' })).toContain('0 chart(s) failed');
  });

  it('makes what the manifests say', () => {
    const made = new Map(rendered().map((document) => [`${document.kind}/${document.metadata.name}`, document]));
    const names = [...SERVICES, 'verify', 'nats-users', 'network-policies'];
    for (const manifest of names.flatMap((name) => readYaml(`${BASE}/${name}.yaml`))) {
      const { kind, metadata } = Named.parse(manifest);
      expect(withoutChecksum(made.get(`${kind}/${metadata.name}`)), `${kind} ${metadata.name}`).toEqual(
        asInstalled(manifest),
      );
    }
  });

  it('makes valid objects with everything switched on', async () => {
    const all = rendered(
      'portal={"enabled":true,"host":"portal.example.org","tlsSecret":"portal-tls"}',
      'gatewayApi={"enabled":true,"parentRefs":[{"name":"public"}]}',
      'monitoring={"podMonitor":true,"prometheusRule":true,"labels":{"release":"prometheus"}}',
      'backup={"cluster":"postgres"}',
      'priorityClassName="tenders"',
      'images={"pullSecrets":[{"name":"registry"}]}',
      'services={"gateway":{"settings":{"TRUSTED_PROXIES":"10.244.0.0/16"},"replicas":{"min":3},"resources":{"limits":{"cpu":"2","memory":"1Gi"}}}}',
      'secrets={"gateway-database":"pg-app"}',
    );
    const known = /^(v1|apps\/v1|batch\/v1|policy\/v1|autoscaling\/v2|networking\.k8s\.io\/v1|cert-manager\.io\/v1)$/;
    const checked = all.filter(({ apiVersion }) => known.test(String(apiVersion)));
    for (const document of checked) expect(await findFaults(document), document.metadata.name).toEqual([]);
    expect(all.length - checked.length).toBe(5);
    const gateway = all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'gateway');
    expect(JSON.stringify(gateway)).toMatch(/"priorityClassName":"tenders".*"limits":\{"cpu":"2","memory":"1Gi"\}/);
    expect(JSON.stringify(gateway)).toContain('{"name":"pg-app","key":"DATABASE_URL"}');
    const settings = all.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'gateway');
    expect(settings).toMatchObject({ data: { TRUSTED_PROXIES: '10.244.0.0/16' } });
  });

  it('keeps values that are empty, 0 or false', () => {
    const values = [
      'settings={"NATS_CA_FILE":"","NATS_REPLICAS":0}',
      'services={"register":{"settings":{"ANY":false}}}',
    ];
    const maps = rendered(...values).filter(({ kind }) => kind === 'ConfigMap');
    const findData = (name: string): unknown => maps.find(({ metadata }) => metadata.name === name)?.['data'];
    expect(findData('procurement')).toMatchObject({ NATS_CA_FILE: '', NATS_REPLICAS: '0', LOG_LEVEL: 'info' });
    expect(findData('register')).toMatchObject({ ANY: 'false' });
  });

  it('refuses values of services that nothing reads', () => {
    expect(() => rendered('services={"bids":{"settings":{"LOG_LEVEL":"debug"}}}')).toThrow(
      'services.bids.settings: bids has no settings of its own',
    );
    expect(() => rendered('services={"bid":{"replicas":{"min":3}}}')).toThrow('services.bid: no such service');
  });

  it('publishes gateway and portal by Ingresses, or by HTTPRoutes with their hosts', () => {
    const portal = 'portal={"enabled":true,"host":"portal.example.org"}';
    const entrances = (...values: string[]) =>
      rendered(portal, ...values)
        .filter(({ kind }) => kind === 'Ingress' || kind === 'HTTPRoute')
        .map((document) => [document.kind, document.metadata.name, JSON.stringify(document)] as const);
    expect(entrances()).toEqual([
      ['Ingress', 'gateway', expect.stringMatching(/proxy-body-size":"1100m".*"host":"tenders\.example\.org"/)],
      ['Ingress', 'portal', expect.stringMatching(/proxy-body-size":"8k".*"host":"portal\.example\.org"/)],
    ]);
    expect(entrances('gatewayApi={"enabled":true,"parentRefs":[{"name":"public"}]}')).toEqual([
      ['HTTPRoute', 'gateway', expect.stringContaining('"hostnames":["tenders.example.org"]')],
      ['HTTPRoute', 'portal', expect.stringContaining('"hostnames":["portal.example.org"]')],
    ]);
  });

  it('migrates with the settings of the new release, made before the Jobs', () => {
    const Hook = z.object({ 'helm.sh/hook': z.literal('pre-upgrade'), 'helm.sh/hook-weight': z.coerce.number() });
    const all = rendered('settings={"NATS_URL":"tls://new:4222"}');
    const mine = all.filter(({ kind, metadata }) => kind === 'Job' || metadata.name.startsWith('migration-'));
    const made = mine
      .map((object) => ({ object, weight: Hook.parse(object.metadata['annotations'])['helm.sh/hook-weight'] }))
      .toSorted((one, other) => one.weight - other.weight);
    const names = made.map(({ object }) => object.metadata.name);
    for (const { object } of made.filter(({ object: { kind } }) => kind === 'Job')) {
      const read = [...JSON.stringify(object).matchAll(/"configMap(?:Ref|KeyRef)?":\{"name":"([a-z-]+)"/g)].map(
        ([, name]) => name,
      );
      expect(read).toContain('migration-procurement');
      for (const name of read) {
        const place = names.indexOf(name ?? '');
        expect(place, name).toBeGreaterThanOrEqual(0);
        expect(place, name).toBeLessThan(names.indexOf(object.metadata.name));
      }
    }
    expect(made.find(({ object }) => object.metadata.name === 'migration-procurement')?.object).toMatchObject({
      data: { NATS_URL: 'tls://new:4222' },
    });
  });
});
