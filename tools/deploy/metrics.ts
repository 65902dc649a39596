import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { z } from 'zod';
import { ROOT, readText, readYaml } from './repository.ts';

const FOLDERS = ['packages', 'services', 'apps'];
const SOURCE = /^[^/]+\/src\/(?!gen\/).*(?<!\.test)\.ts$/;
const REGISTERED = /\.(gauge|counter)\(\s*'([a-z0-9_]+)'/g;
const CONSTRUCTED = /new (Gauge|Counter|Histogram)\(\{\s*name: '([a-z0-9_]+)'/g;

export type MetricKind = 'gauge' | 'counter' | 'histogram' | 'summary';

/** The metrics that the sources register, and those of every process, with their kinds. */
export async function registeredMetrics(): Promise<ReadonlyMap<string, MetricKind>> {
  const ofProcess = await makeMetrics('any').registry.getMetricsAsJSON();
  const found = new Map<string, MetricKind>(ofProcess.map(({ name, type }) => [name, String(type) as MetricKind]));
  for (const file of FOLDERS.flatMap(listSources)) {
    const text = readFileSync(file, 'utf8');
    for (const [, kind = '', name = ''] of [...text.matchAll(REGISTERED), ...text.matchAll(CONSTRUCTED)])
      found.set(name, kind.toLowerCase() as MetricKind);
  }
  return found;
}

function listSources(folder: string): readonly string[] {
  const root = join(ROOT, folder);
  return readdirSync(root).flatMap((name) =>
    readdirSync(join(root, name, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => SOURCE.test(`${name}/src/${path}`))
      .map((path) => join(root, name, 'src', path)),
  );
}

/** The series of a metric: a histogram has three. */
export function seriesOf(metrics: ReadonlyMap<string, MetricKind>): ReadonlySet<string> {
  return new Set(
    [...metrics].flatMap(([name, kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

/** A metric that a query reads, and the labels by which it selects or groups its series. */
export interface Selection {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** What a query of Prometheus reads. Throws when it is no query. */
export function parseSelections(query: string): readonly Selection[] {
  const selections: { metric: string; labels: string[] }[] = [];
  // Of each aggregation around the present place: its labels, and the first selection in it.
  const around: { by: string[]; first: number }[] = [];
  let labels: string[] | undefined;
  parser.parse(query).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`not a query, from character ${from} on: ${query}`);
      const text = query.slice(from, to);
      if (type.name === 'AggregateExpr') around.push({ by: [], first: selections.length });
      if (type.name === 'By') labels = around.at(-1)?.by;
      if (type.name === 'VectorSelector') {
        labels = [];
        selections.push({ metric: /^[a-zA-Z_:][\w:]*/.exec(text)?.[0] ?? '', labels });
      }
      if (type.name === 'LabelName') labels?.push(text);
    },
    leave: ({ type }) => {
      if (type.name === 'VectorSelector' || type.name === 'AggregateModifier') labels = undefined;
      if (type.name !== 'AggregateExpr') return;
      const { by, first } = around.pop() ?? { by: [], first: 0 };
      for (const selection of selections.slice(first)) selection.labels.push(...by);
    },
  });
  return selections;
}

/** The metrics that a query of Prometheus reads. Throws when it is no query. */
export function parseMetrics(query: string): readonly string[] {
  return parseSelections(query).map(({ metric }) => metric);
}

const Rules = z.object({ groups: z.array(z.object({ rules: z.array(z.object({ expr: z.string() })) })) });
const Dashboard = z.object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) });

/** The queries of all alert rules and dashboards. */
export function observedQueries(): readonly string[] {
  const folder = 'deploy/observability';
  const rules = Rules.parse(readYaml(`${folder}/alerts.yml`)[0]).groups.flatMap((group) => group.rules);
  const panels = readdirSync(join(ROOT, folder, 'dashboards')).flatMap(
    (file) => Dashboard.parse(JSON.parse(readText(`${folder}/dashboards/${file}`))).panels,
  );
  const targets = panels.flatMap((panel) => panel.targets);
  return [...rules, ...targets].map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'));
}

/** The series of a text that `/metrics` answers, each with its labels; none where a metric has no sample yet. */
export function exportedSeries(exposition: string): ReadonlyMap<string, ReadonlySet<string>> {
  const series = new Map<string, Set<string>>();
  for (const [, name = '', kind] of exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const one of seriesOf(new Map([[name, kind as MetricKind]]))) series.set(one, new Set());
  for (const [, name = '', labels = ''] of exposition.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? /gm))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) series.get(name)?.add(label);
  return series;
}
