import { clientOf, type Answer, type Broker, type Json, type Wish } from '../support/broker.ts';

/** What was said so far, for the summary. */
export interface Tally {
  exchanges: number;
  slowestMs: number;
}

const LINE_MAX = 160;
const HIDDEN: ReadonlySet<string> = new Set(['token', 'transfer']);

/** A client that tells every exchange in two or three lines, secrets left out. */
export function printing(name: string, client: Broker, tally: Tally): Broker {
  const request: Broker['request'] = async (method, path, wish = {}) => {
    const beganMs = performance.now();
    const answer = await client.request(method, path, wish);
    const tookMs = performance.now() - beganMs;
    tally.exchanges += 1;
    tally.slowestMs = Math.max(tally.slowestMs, tookMs);
    tell(name, method, path, wish, answer, tookMs);
    if (answer.status >= 400) throw new Error(`${method} ${shown(path)} was answered with ${answer.status}`);
    return answer;
  };
  return clientOf(request);
}

function tell(name: string, method: string, path: string, wish: Wish, answer: Answer, tookMs: number): void {
  console.log(`  ${name.padEnd(14)} ${method.padEnd(6)} ${shown(path)}`);
  if (wish.data !== undefined) console.log(`${' '.repeat(17)}-> ${brief(wish.data)}`);
  console.log(`${' '.repeat(17)}<- ${answer.status} ${brief(answer.body?.data)}  ${Math.round(tookMs)} ms`);
}

/** A path without the token in it, and ids short. */
function shown(path: string): string {
  return path.replace(/\?acc_token=[^&]*/, '').replaceAll(/\b([0-9a-f]{6})[0-9a-f]{26}\b/g, '$1..');
}

function brief(data: Json): string {
  const text = JSON.stringify(data, (key, value: unknown) => (HIDDEN.has(key) ? undefined : value)) ?? '';
  const short = shown(text);
  return short.length > LINE_MAX ? `${short.slice(0, LINE_MAX)}..` : short;
}
