import { clientFrom, type ApiResponse, type Broker, type Json, type RequestOptions } from '../support/broker.ts';

/** Figures for the summary. */
export interface ExchangeStats {
  exchanges: number;
  slowestMs: number;
}

const LINE_MAX = 160;
const HIDDEN_MEMBERS: ReadonlySet<string> = new Set(['token', 'transfer']);

/** A client that prints every request and its answer in two or three lines, without secrets. */
export function printingClient(name: string, client: Broker, stats: ExchangeStats): Broker {
  const request: Broker['request'] = async (method, path, options = {}) => {
    const beganMs = performance.now();
    const response = await client.request(method, path, options);
    const tookMs = performance.now() - beganMs;
    stats.exchanges += 1;
    stats.slowestMs = Math.max(stats.slowestMs, tookMs);
    printExchange(name, method, path, options, response, tookMs);
    if (response.status >= 400) throw new Error(`${method} ${shorten(path)} answered ${response.status}`);
    return response;
  };
  return clientFrom(request);
}

function printExchange(
  name: string,
  method: string,
  path: string,
  options: RequestOptions,
  response: ApiResponse,
  tookMs: number,
): void {
  console.log(`  ${name.padEnd(14)} ${method.padEnd(6)} ${shorten(path)}`);
  if (options.data !== undefined) console.log(`${' '.repeat(17)}-> ${summarize(options.data)}`);
  console.log(`${' '.repeat(17)}<- ${response.status} ${summarize(response.body?.data)}  ${Math.round(tookMs)} ms`);
}

/** A path without its token and with short ids. */
function shorten(path: string): string {
  return path.replace(/\?acc_token=[^&]*/, '').replaceAll(/\b([0-9a-f]{6})[0-9a-f]{26}\b/g, '$1..');
}

function summarize(data: Json): string {
  const text = JSON.stringify(data, (key, value: unknown) => (HIDDEN_MEMBERS.has(key) ? undefined : value)) ?? '';
  const short = shorten(text);
  return short.length > LINE_MAX ? `${short.slice(0, LINE_MAX)}..` : short;
}
