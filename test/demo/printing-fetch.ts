import type { Fetch } from '@procurement/client';

/** Figures for the summary. */
export interface ExchangeStats {
  exchanges: number;
  slowestMs: number;
}

const LINE_MAX = 160;
const HIDDEN_MEMBERS: ReadonlySet<string> = new Set(['token', 'transfer']);

/** Prints every request and its answer in two or three lines, without secrets. */
export function printingFetch(name: string, stats: ExchangeStats): Fetch {
  return async (address, init) => {
    const beganMs = performance.now();
    const response = await fetch(address, init);
    const text = await response.clone().text();
    const tookMs = performance.now() - beganMs;
    stats.exchanges += 1;
    stats.slowestMs = Math.max(stats.slowestMs, tookMs);
    console.log(`  ${name.padEnd(14)} ${(init.method ?? 'GET').padEnd(6)} ${shorten(pathOf(address))}`);
    if (typeof init.body === 'string') console.log(`${' '.repeat(17)}-> ${summarize(init.body)}`);
    console.log(`${' '.repeat(17)}<- ${response.status} ${summarize(text)}  ${Math.round(tookMs)} ms`);
    return response;
  };
}

function pathOf(address: string): string {
  return new URL(address).pathname.replace(/^\/api\/[^/]+/, '');
}

/** Cuts ids to their first six digits. */
function shorten(text: string): string {
  return text.replaceAll(/\b([0-9a-f]{6})[0-9a-f]{26}\b/g, '$1..');
}

/** `data` of a body in one line; empty for a file. */
function summarize(body: string): string {
  const text = body.startsWith('{') ? (JSON.stringify(JSON.parse(body).data, withoutSecrets) ?? '') : '';
  const short = shorten(text);
  return short.length > LINE_MAX ? `${short.slice(0, LINE_MAX)}..` : short;
}

function withoutSecrets(key: string, value: unknown): unknown {
  return HIDDEN_MEMBERS.has(key) ? undefined : value;
}
