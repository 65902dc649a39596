import { expect } from 'vitest';
import { clientFrom, type ApiResponse, type Broker, type RequestOptions } from './broker.ts';

/** Writes down what a story's brokers say and hear, as its golden recording. */
export interface Recorder {
  /** The same broker, recorded under a name. */
  recordAs(name: string, broker: Broker): Broker;
  /** What happens between exchanges and is not one of them, such as the passing of time. */
  note(text: string): void;
  /** Compares with the recording in `test/golden`; `vitest -u` accepts what is different. */
  expectGolden(): Promise<void>;
}

/**
 * Recordings of one story: what differs from run to run (ids, tokens, numbers, times) gets a name in the order of its first
 * appearance, so the same thing has the same name throughout, and a difference is a decision.
 */
export function recorder(story: string): Recorder {
  const entries: string[] = [];
  const normalize = makeNormalizer();
  let exchangeCount = 0;

  function recordExchange(
    role: string,
    method: string,
    path: string,
    options: RequestOptions,
    response: ApiResponse,
  ): void {
    const location = response.headers.get('location');
    const headers = location === null ? '' : `\nLocation: ${location.replace(/^https?:\/\/[^/]+/, '')}`;
    exchangeCount += 1;
    const requestText = `### ${exchangeCount}\n${method} ${path}\nas ${role}${requestBodyText(options)}`;
    entries.push(
      normalize(
        `${requestText}\n\n-> ${response.status}${headers}\n\n${response.body === undefined ? response.text : indentJson(response.text)}\n`,
      ),
    );
  }

  return {
    recordAs(role, broker) {
      const request: Broker['request'] = async (method, path, options = {}) => {
        const response = await broker.request(method, path, options);
        recordExchange(role, method, path, options, response);
        return response;
      };
      return clientFrom(request);
    },
    note(text) {
      entries.push(`# ${text}\n`);
    },
    async expectGolden() {
      await expect(entries.join('\n')).toMatchFileSnapshot(`../../golden/${story}.http`);
    },
  };
}

/** The body of a request: JSON, or a file as it goes over the wire. */
function requestBodyText({ data, raw, headers = {} }: RequestOptions): string {
  if (raw === undefined) return data === undefined ? '' : `\n\n${indentJson(JSON.stringify({ data }))}`;
  const type = headers['content-type'] ?? 'application/json';
  const text = typeof raw === 'string' ? raw : Buffer.from(raw).toString('utf8');
  return `\nContent-Type: ${type}\n\n${text.replaceAll('\r\n', '\n').trimEnd()}`;
}

/** No text of a tender has it. */
const NUMBER_MARK = '\uE000';

/** A JSON text, indented. Its numbers stay as they are written, `500.0`: brokers compare them, and parsing would lose it. */
function indentJson(text: string): string {
  const quotedNumbers = text.replace(/("(?:[^"\\]|\\.)*")|-?\d[\d.eE+-]*/g, (match, quoted?: string) =>
    quoted === undefined ? `"${NUMBER_MARK}${match}"` : match,
  );
  return JSON.stringify(JSON.parse(quotedNumbers), null, 2).replace(new RegExp(`"${NUMBER_MARK}([^"]*)"`, 'g'), '$1');
}

/**
 * Tokens before ids, which they look like: both keep the name that they had first. Ids before the rest, since a number of a
 * complaint begins with that of its tender.
 */
const PLACEHOLDERS = [
  { name: 'token', pattern: /(?<="token": ")[0-9a-f]{32}/g },
  { name: 'transfer', pattern: /(?<="transfer": ")[0-9a-f]{32}/g },
  { name: 'id', pattern: /(?<!\bmd5:)\b[0-9a-f]{32}\b/g },
  { name: 'host', pattern: /\bhttps?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g },
  { name: 'key', pattern: /(?<=\bKeyID=)[^&"]+/g },
  { name: 'signature', pattern: /(?<=\bSignature=)[^&"]+/g },
  { name: 'number', pattern: /\bUA-\d{4}-\d{2}-\d{2}-\d{6}/g },
  { name: 'time', pattern: /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[+-]\d{2}:\d{2})?/g },
] as const;

function makeNormalizer(): (text: string) => string {
  const assigned = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) => {
    let normalized = text;
    for (const { name, pattern } of PLACEHOLDERS) {
      normalized = normalized.replace(pattern, (found) => {
        const existing = assigned.get(found);
        if (existing !== undefined) return existing;
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        assigned.set(found, `<${name} ${count}>`);
        return `<${name} ${count}>`;
      });
    }
    return normalized;
  };
}
