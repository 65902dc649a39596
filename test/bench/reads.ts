import type { Stack } from '@procurement/local-stack/stack';
import { broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { interfaceTender } from '../support/request-bodies.ts';
import { measureInTurns, type Load } from './load.ts';
import { stackCpuMs, sumMs } from './process-cpu.ts';
import { startReference, type ReferenceServer } from './reference-server.ts';
import { OLDER_SEGMENTS, type BenchmarkRow } from './row.ts';

/** Items that bring the tender of interface.md to a usual size, 4 to 8 KB. */
const ITEM_COUNT = 4;
/** Most readers ask for what no other reader asks for at the same time. */
const TENDER_COUNT = 400;
const PUBLISHED_AT_ONCE = 8;
/** Fewer connections share less work in a turn of the event loop and in a query, so that each request costs more. */
const CONNECTIONS = [16, 32, 64] as const;

/** Reads of many tenders, and of one, against the bare hop; and of many tenders in older segments. */
export async function readRows(stack: Stack): Promise<BenchmarkRow[]> {
  const paths = await publishTenders(stack);
  const [first = ''] = paths;
  const body = (await broker(stack.gatewayUrl, undefined, '2.5').get(first)).text;
  const size = `${(Buffer.byteLength(body) / 1024).toFixed(1)} KB`;
  const reference = await startReference(body);
  try {
    const many = { what: `GET of ${TENDER_COUNT} tenders (${size})`, paths };
    return [
      ...(await hopRows(stack, reference, { ...many, atLeast: 0.6, cpuAtMost: 1.56 })),
      ...(await hopRows(stack, reference, { what: `GET of one tender (${size})`, paths: [first], atLeast: 0.6 })),
      ...(await segmentRows(stack, many)),
    ];
  } finally {
    await reference.stop();
  }
}

async function publishTenders({ gatewayUrl }: Stack): Promise<string[]> {
  const tender = interfaceTender();
  const [item] = tender['items'] as object[];
  const items = Array.from({ length: ITEM_COUNT }, (_, n) => ({ ...item, id: n === 0 ? 'cases' : `cases-${n}` }));
  const buyer = broker(gatewayUrl, 'broker1', '2.5');
  const paths: string[] = [];
  while (paths.length < TENDER_COUNT) {
    const published = Array.from({ length: PUBLISHED_AT_ONCE }, async () => publish(buyer, { ...tender, items }));
    paths.push(...(await Promise.all(published)).map(({ path }) => path));
  }
  return paths;
}

/** Addresses below a segment that readers ask for. */
export interface Reads {
  readonly what: string;
  readonly paths: readonly string[];
}

interface HopBars {
  /** Bar of requests a second. */
  readonly atLeast?: number;
  /** Bar of processor time: 120 µs where the bare hop takes 77 are 1.56. */
  readonly cpuAtMost?: number;
}

/** The longest 1 % of latencies against the median, where a bar of processor time is set. */
const TAIL_AT_MOST = 4;

/** Reads against a bare Fastify service with a constant body behind a bare `@fastify/http-proxy`, at each number of connections. */
export async function hopRows(
  stack: Stack,
  reference: ReferenceServer,
  { what, paths, atLeast, cpuAtMost }: Reads & HopBars,
): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  const cpuMs = (): number => sumMs(stackCpuMs(stack) ?? new Map());
  for (const connections of CONNECTIONS) {
    const { hop, own } = await measureInTurns({
      hop: { url: reference.url, paths, connections, cpuMs: reference.cpuMs },
      own: { ...buildLoad(stack, '2.5', paths), connections, cpuMs },
    });
    const [ownUs = 0, hopUs = 0] = [own.cpuUs, hop.cpuUs];
    const at = `${what}, ${connections} connections`;
    rows.push({
      what: `${at}, against bare Fastify behind bare http-proxy`,
      ratio: own.perSecond / hop.perSecond,
      ...(atLeast === undefined ? {} : { atLeast }),
      figures: `${Math.round(own.perSecond)}/s of ${Math.round(hop.perSecond)}/s, p99 ${own.p99Ms.toFixed(1)} ms, processor time ${Math.round(ownUs)} µs of ${Math.round(hopUs)} µs`,
    });
    if (cpuAtMost === undefined) continue;
    rows.push(
      { what: `${at}, processor time`, ratio: ownUs / hopUs, atMost: cpuAtMost, figures: 'against the same' },
      {
        what: `${at}, p99 against p50`,
        ratio: own.p99Ms / own.p50Ms,
        atMost: TAIL_AT_MOST,
        figures: `${own.p99Ms.toFixed(1)} ms of ${own.p50Ms.toFixed(1)} ms`,
      },
    );
  }
  return rows;
}

/** The same reads in older segments, against 2.5. */
export async function segmentRows(stack: Stack, { what, paths }: Reads): Promise<BenchmarkRow[]> {
  const reads = (segment: string): Load => buildLoad(stack, segment, paths);
  const rates = await measureInTurns({
    '2.5': reads('2.5'),
    '2.3': reads('2.3'),
    '0': reads('0'),
    '0.1': reads('0.1'),
  });
  const rate = (segment: keyof typeof rates): string => `${Math.round(rates[segment].perSecond)}/s`;
  return OLDER_SEGMENTS.map((segment) => ({
    what: `${what}, ${segment} against 2.5`,
    ratio: rates[segment].perSecond / rates['2.5'].perSecond,
    atLeast: 0.6,
    figures: `${rate(segment)} of ${rate('2.5')}`,
  }));
}

function buildLoad({ gatewayUrl }: Stack, segment: string, paths: readonly string[]): Load {
  return { url: gatewayUrl, paths: paths.map((path) => `/api/${segment}${path}`) };
}
