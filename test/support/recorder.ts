import { expect } from 'vitest';
import { clientOf, type Answer, type Broker, type Wish } from './broker.ts';

/** Writes down what a story's brokers say and hear, as its golden recording. */
export interface Recorder {
  /** The same broker, recorded under a name. */
  of(name: string, broker: Broker): Broker;
  /** What happens between exchanges and is not one of them, such as the passing of time. */
  note(text: string): void;
  /** Compares with the recording in `test/golden`; `vitest -u` accepts what is different. */
  matches(): Promise<void>;
}

/**
 * Recordings of one story: what differs from run to run (ids, tokens, numbers, times) gets a name in the order of its first
 * appearance, so the same thing has the same name throughout, and a difference is a decision (style.md, "Tests").
 */
export function recorder(story: string): Recorder {
  const entries: string[] = [];
  const names = naming();
  let exchanges = 0;

  function write(who: string, method: string, path: string, wish: Wish, answer: Answer): void {
    const location = answer.headers.get('location');
    const headers = location === null ? '' : `\nLocation: ${location.replace(/^https?:\/\/[^/]+/, '')}`;
    exchanges += 1;
    const asked = `### ${exchanges}\n${method} ${path}\nas ${who}${sent(wish)}`;
    entries.push(
      names(
        `${asked}\n\n-> ${answer.status}${headers}\n\n${answer.body === undefined ? answer.text : pretty(answer.text)}\n`,
      ),
    );
  }

  return {
    of(who, broker) {
      const request: Broker['request'] = async (method, path, wish = {}) => {
        const answer = await broker.request(method, path, wish);
        write(who, method, path, wish, answer);
        return answer;
      };
      return clientOf(request);
    },
    note(text) {
      entries.push(`# ${text}\n`);
    },
    async matches() {
      await expect(entries.join('\n')).toMatchFileSnapshot(`../../golden/${story}.http`);
    },
  };
}

/** The body of a request: JSON, or a file as it goes over the wire. */
function sent({ data, raw, headers = {} }: Wish): string {
  if (raw === undefined) return data === undefined ? '' : `\n\n${pretty(JSON.stringify({ data }))}`;
  const type = headers['content-type'] ?? 'application/json';
  const text = typeof raw === 'string' ? raw : Buffer.from(raw).toString('utf8');
  return `\nContent-Type: ${type}\n\n${text.replaceAll('\r\n', '\n').trimEnd()}`;
}

/** No text of a tender has it. */
const MARK = '\uE000';

/** A JSON text, indented. Its numbers stay as they are written, `500.0`: brokers compare them, and parsing would lose it. */
function pretty(text: string): string {
  const marked = text.replace(/("(?:[^"\\]|\\.)*")|-?\d[\d.eE+-]*/g, (found, quoted?: string) =>
    quoted === undefined ? `"${MARK}${found}"` : found,
  );
  return JSON.stringify(JSON.parse(marked), null, 2).replace(new RegExp(`"${MARK}([^"]*)"`, 'g'), '$1');
}

/**
 * Tokens before ids, which they look like: both keep the name that they had first. Ids before the rest, since a number of a
 * complaint begins with that of its tender.
 */
const KINDS = [
  { name: 'token', pattern: /(?<="token": ")[0-9a-f]{32}/g },
  { name: 'transfer', pattern: /(?<="transfer": ")[0-9a-f]{32}/g },
  { name: 'id', pattern: /(?<!\bmd5:)\b[0-9a-f]{32}\b/g },
  { name: 'host', pattern: /\bhttps?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g },
  { name: 'key', pattern: /(?<=\bKeyID=)[^&"]+/g },
  { name: 'signature', pattern: /(?<=\bSignature=)[^&"]+/g },
  { name: 'number', pattern: /\bUA-\d{4}-\d{2}-\d{2}-\d{6}/g },
  { name: 'time', pattern: /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[+-]\d{2}:\d{2})?/g },
] as const;

function naming(): (text: string) => string {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) => {
    let named = text;
    for (const { name, pattern } of KINDS) {
      named = named.replace(pattern, (found) => {
        const given = known.get(found);
        if (given !== undefined) return given;
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        known.set(found, `<${name} ${count}>`);
        return `<${name} ${count}>`;
      });
    }
    return named;
  };
}
