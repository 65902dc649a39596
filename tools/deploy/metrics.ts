import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { ROOT } from './repository.ts';

const FOLDERS = ['packages', 'services', 'apps'];
const SOURCE = /^[^/]+\/src\/(?!gen\/).*(?<!\.test)\.ts$/;
const REGISTERED = /\.(gauge|counter)\(\s*'([a-z0-9_]+)'/g;
const CONSTRUCTED = /new (Gauge|Counter|Histogram)\(\{\s*name: '([a-z0-9_]+)'/g;

export type MetricKind = 'gauge' | 'counter' | 'histogram' | 'summary';

/** The metrics that the sources register, and those of every process, with their kinds. */
export async function registeredMetrics(): Promise<ReadonlyMap<string, MetricKind>> {
  const ofProcess = await makeMetrics('any').registry.getMetricsAsJSON();
  const found = new Map<string, MetricKind>(ofProcess.map(({ name, type }) => [name, String(type) as MetricKind]));
  for (const file of FOLDERS.flatMap(sourcesOf)) {
    const text = readFileSync(file, 'utf8');
    for (const [, kind = '', name = ''] of [...text.matchAll(REGISTERED), ...text.matchAll(CONSTRUCTED)])
      found.set(name, kind.toLowerCase() as MetricKind);
  }
  return found;
}

function sourcesOf(folder: string): readonly string[] {
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

/** The metrics that a query of Prometheus reads. Throws when it is no query. */
export function metricsOf(query: string): readonly string[] {
  const names: string[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`not a query, from character ${from} on: ${query}`);
      if (type.name === 'VectorSelector') names.push(/^[a-zA-Z_:][\w:]*/.exec(query.slice(from, to))?.[0] ?? '');
    },
  });
  return names;
}
