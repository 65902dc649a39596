import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exportedSeries, parseMetrics, registeredMetrics, parseSelections, seriesOf } from './metrics.ts';
import { defaultPort, ROOT, SERVICES, readText, readYaml } from './repository.ts';

const FOLDER = 'deploy/observability';
const RUNBOOK = 'docs/runbook.md';

const Rule = z.strictObject({
  alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
  expr: z.string(),
  for: z
    .string()
    .regex(/^\d+[smh]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
});
const Rules = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Rule) })) });
const rules = Rules.parse(readYaml(`${FOLDER}/alerts.yml`)[0]).groups.flatMap((group) => group.rules);
/** The text of each entry of the runbook, by its title. */
const entries = new Map(
  readText(RUNBOOK)
    .split(/^### /m)
    .slice(1)
    .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry] as const),
);

/** Whether a query selects the details of a kind. */
function selects(expr: string, kind: string): boolean {
  const [, operator, value = ''] = /\bkind(=|!=|=~|!~)"([^"]*)"/.exec(expr) ?? [];
  const matches = new RegExp(`^(?:${value})$`).test(kind);
  return operator === undefined || operator.startsWith('!') !== matches;
}

const Panel = z.looseObject({
  title: z.string(),
  datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.string() }),
  targets: z.array(z.looseObject({ expr: z.string() })).min(1),
});
const Dashboard = z.looseObject({ uid: z.string(), title: z.string(), panels: z.array(Panel).min(1) });
const dashboards = readdirSync(join(ROOT, FOLDER, 'dashboards')).map((file) => ({
  file,
  dashboard: Dashboard.parse(JSON.parse(readText(`${FOLDER}/dashboards/${file}`))),
}));

const metrics = await registeredMetrics();
/** `up` is made by Prometheus. */
const known = new Set([...seriesOf(metrics), 'up']);
const findUnknown = (query: string): readonly string[] => parseMetrics(query).filter((name) => !known.has(name));

describe('parseMetrics', () => {
  it('finds the metrics of a query', () => {
    expect(parseMetrics('sum by (le) (rate(a_bucket{b="c"}[5m])) / on (x) d > 0.5 or e')).toEqual([
      'a_bucket',
      'd',
      'e',
    ]);
  });

  it('refuses what is no query', () => {
    expect(() => parseMetrics('sum(rate(a[5m])')).toThrow('not a query');
  });
});

describe('parseSelections', () => {
  it('finds the labels by which a query selects and groups', () => {
    const query = 'sum by (a, b) (rate(x{c="1",d=~"2"}[5m])) / on (e) sum without (f) (y) > z';
    expect(parseSelections(query)).toEqual([
      { metric: 'x', labels: ['c', 'd', 'a', 'b'] },
      { metric: 'y', labels: [] },
      { metric: 'z', labels: [] },
    ]);
    expect(parseSelections('max(max by (a) (x)) by (b)')).toEqual([{ metric: 'x', labels: ['a', 'b'] }]);
  });
});

describe('exportedSeries', () => {
  it('finds the series of metrics, and the labels of those that have samples', () => {
    const text = '# HELP a x\n# TYPE a gauge\na{b="1",c="2"} 3\n# TYPE d counter\n# TYPE e histogram\ne_sum 1\n';
    expect([...exportedSeries(text)].map(([name, labels]) => [name, ...labels])).toEqual([
      ['a', 'b', 'c'],
      ['d'],
      ['e_bucket'],
      ['e_sum'],
      ['e_count'],
    ]);
  });
});

describe('alert rules', () => {
  it.each(rules)('$alert reads metrics that exist', ({ expr }) => {
    expect(findUnknown(expr)).toEqual([]);
    expect(parseMetrics(expr)).not.toEqual([]);
  });

  it.each(rules)('$alert has an entry of the runbook, with its severity', ({ alert, labels, annotations }) => {
    expect(annotations.runbook_url).toBe(`${RUNBOOK}#${alert.toLowerCase()}`);
    expect(entries.get(alert)).toContain(`\`${labels.severity}\``);
  });

  it('page for a bus that is away, a minute after /health of its service is red, and for each kind once', () => {
    const ofKind = (kind: string) => rules.filter(({ expr }) => expr.includes('service_stuck{') && selects(expr, kind));
    const [bus, ...others] = ofKind('bus');
    expect(bus).toMatchObject({ alert: 'BusAway', for: '1m', labels: { severity: 'page' } });
    expect(others).toEqual([]);
    expect(ofKind('consumer').map(({ alert }) => alert)).toEqual(['SomethingStuck']);
  });

  it('have different names, and the runbook has no others', () => {
    const names = rules.map(({ alert }) => alert);
    expect([...entries.keys()]).toEqual(names);
  });

  it('finds a metric that does not exist', () => {
    expect(findUnknown('rate(http_requests_total[5m])')).toEqual(['http_requests_total']);
  });
});

describe.each(dashboards)('dashboard $file', ({ dashboard }) => {
  it.each(dashboard.panels)('reads metrics that exist: $title', ({ targets }) => {
    for (const { expr } of targets) expect(findUnknown(expr.replaceAll('$__rate_interval', '5m'))).toEqual([]);
  });

  it('uses data sources that compose has', () => {
    const Sources = z.object({ datasources: z.array(z.object({ uid: z.string() })) });
    const { datasources } = Sources.parse(readYaml('deploy/compose/grafana-datasources.yml')[0]);
    const uids = datasources.map(({ uid }) => uid);
    for (const { datasource } of dashboard.panels) expect(uids).toContain(datasource.uid);
  });
});

describe('Prometheus of compose', () => {
  const Config = z.strictObject({
    global: z.strictObject({ scrape_interval: z.string() }),
    rule_files: z.tuple([z.string()]),
    scrape_configs: z.tuple([
      z.strictObject({
        job_name: z.literal('services'),
        static_configs: z.tuple([z.strictObject({ targets: z.array(z.string()) })]),
        dns_sd_configs: z.tuple([
          z.strictObject({
            names: z.array(z.string()),
            type: z.literal('A'),
            port: z.number(),
            refresh_interval: z.string(),
          }),
        ]),
      }),
    ]),
  });
  const config = Config.parse(readYaml('deploy/compose/prometheus.yml')[0]);
  const [{ static_configs: fixed, dns_sd_configs: found }] = config.scrape_configs;

  it('reads every service where it serves /metrics, and the auction room where it is deployed', async () => {
    const ports = await Promise.all(
      SERVICES.map(async (name) => `${name}:${name === 'gateway' ? 8093 : await defaultPort(name)}`),
    );
    expect(fixed[0].targets.toSorted()).toEqual(ports.toSorted());
    expect(found[0]).toMatchObject({ names: ['auction-room'], port: 8090 });
    expect(readText('deploy/auction-room/compose.yml')).toContain("OPERATOR_PORT: '8090'");
  });

  it('loads the rules that compose mounts', () => {
    expect(readText('docker-compose.yml')).toContain(`./deploy/observability/alerts.yml:${config.rule_files[0]}:ro`);
  });
});

describe('metrics', () => {
  // register.md 11.4 has given this name.
  const NAMED_ELSEWHERE: ReadonlySet<string> = new Set(['export_seconds']);

  it.each([...metrics])('%s (%s) is named by the convention of Prometheus', (name, kind) => {
    expect(name).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/);
    expect(name).not.toMatch(/_(ms|millis|milliseconds|minutes|kb|mb)(_|$)/);
    if (kind === 'counter' && !NAMED_ELSEWHERE.has(name)) expect(name).toMatch(/_total$/);
    // prom-client's own gauges `nodejs_active_*_total` are named so by Node's convention.
    if (kind === 'gauge' && !name.startsWith('nodejs_')) expect(name).not.toMatch(/_total$/);
  });
});
