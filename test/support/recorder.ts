import { join } from 'node:path';
import { expect } from 'vitest';
import { clientFrom, type ApiResponse, type Broker, type RequestOptions } from './broker.ts';

/** Records the requests and answers of a story as its golden recording. */
export interface Recorder {
  /** Records the requests of a broker under a name. */
  recordAs(name: string, broker: Broker): Broker;
  /** Adds a line about an event that is not a request, such as the end of a period. */
  note(text: string): void;
  /** Compares with the recording in `test/golden`; `vitest -u` writes the recording. */
  expectGolden(): Promise<void>;
}

/**
 * The recorder of one story. Values that differ from run to run (ids, tokens, numbers, times) are replaced by names in the order of
 * their first appearance: the same value has the same name throughout, and every other difference fails the test.
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
      await expect(entries.join('\n')).toMatchFileSnapshot(join(import.meta.dirname, '../golden', `${story}.http`));
    },
  };
}

/** The body of a request: indented JSON, or a multipart form as it is sent. */
function requestBodyText({ data, raw, headers = {} }: RequestOptions): string {
  if (raw === undefined) return data === undefined ? '' : `\n\n${indentJson(JSON.stringify({ data }))}`;
  const type = headers['content-type'] ?? 'application/json';
  const text = typeof raw === 'string' ? raw : Buffer.from(raw).toString('utf8');
  return `\nContent-Type: ${type}\n\n${text.replaceAll('\r\n', '\n').trimEnd()}`;
}

/** A character that no recorded text contains. */
const NUMBER_MARK = '\uE000';

/** Indents a JSON text and keeps the form of its numbers, such as `500.0`, which parsing would lose. */
function indentJson(text: string): string {
  const quotedNumbers = text.replace(/("(?:[^"\\]|\\.)*")|-?\d[\d.eE+-]*/g, (match, quoted?: string) =>
    quoted === undefined ? `"${NUMBER_MARK}${match}"` : match,
  );
  return JSON.stringify(JSON.parse(quotedNumbers), null, 2).replace(new RegExp(`"${NUMBER_MARK}([^"]*)"`, 'g'), '$1');
}

/**
 * The order matters: tokens come before ids, which have the same form. The number of a tender is also replaced within the number of a
 * complaint, which begins with it.
 */
const PLACEHOLDERS = [
  { name: 'token', pattern: /(?<="token": ")[0-9a-f]{32}/g },
  { name: 'transfer', pattern: /(?<="transfer": ")[0-9a-f]{32}/g },
  { name: 'id', pattern: /(?<!\bmd5:)\b[0-9a-f]{32}\b/g },
  { name: 'host', pattern: /\bhttps?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g },
  { name: 'key', pattern: /(?<=\bKeyID=)[^&"]+/g },
  { name: 'signature', pattern: /(?<=\bSignature=)[^&"]+/g },
  { name: 'seal', pattern: /\bsha256:[0-9a-f]{64}\b/g },
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
