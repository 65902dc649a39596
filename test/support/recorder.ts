import { expect } from 'vitest';
import type { Answer, Broker, Wish } from './broker.ts';

/** Writes down what a story's brokers say and hear, as its golden recording. */
export interface Recorder {
  /** The same broker, recorded under a name. */
  of(name: string, broker: Broker): Broker;
  /** Compares with the recording in `test/golden`; `vitest -u` accepts what is different. */
  matches(): Promise<void>;
}

/**
 * Recordings of one story: what differs from run to run (ids, tokens, numbers, times) gets a name in the order of its first
 * appearance, so the same thing has the same name throughout, and a difference is a decision (style.md, "Tests").
 */
export function recorder(story: string): Recorder {
  const exchanges: string[] = [];
  const names = naming();

  function write(who: string, method: string, path: string, wish: Wish, answer: Answer): void {
    const sent = wish.data === undefined ? '' : `\n\n${pretty({ data: wish.data })}`;
    const location = answer.headers.get('location');
    const headers = location === null ? '' : `\nLocation: ${location.replace(/^https?:\/\/[^/]+/, '')}`;
    exchanges.push(
      names(`${method} ${path}\nas ${who}${sent}\n\n-> ${answer.status}${headers}\n\n${pretty(answer.body)}\n`),
    );
  }

  return {
    of(who, broker) {
      const request: Broker['request'] = async (method, path, wish = {}) => {
        const answer = await broker.request(method, path, wish);
        write(who, method, path, wish, answer);
        return answer;
      };
      return {
        request,
        get: async (path, wish) => request('GET', path, wish),
        post: async (path, data, wish) => request('POST', path, { data, ...wish }),
        patch: async (path, data, wish) => request('PATCH', path, { data, ...wish }),
        put: async (path, data, wish) => request('PUT', path, { data, ...wish }),
      };
    },
    async matches() {
      const text = exchanges.map((exchange, n) => `### ${n + 1}\n${exchange}`).join('\n');
      await expect(text).toMatchFileSnapshot(`../../golden/${story}.http`);
    },
  };
}

function pretty(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body, null, 2);
}

/** Longest first, since a number of a complaint begins with that of its tender. */
const KINDS = [
  { name: 'id', pattern: /\b[0-9a-f]{32}\b/g },
  { name: 'number', pattern: /\bUA-\d{4}-\d{2}-\d{2}-\d{6}/g },
  { name: 'time', pattern: /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[+-]\d{2}:\d{2})?/g },
] as const;

function naming(): (text: string) => string {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text) => {
    // When sibling services hear of a change, and so which of two moments a tender shows as its last, differs from run to run.
    let named = text.replace(/"dateModified": "\d[^"]*"/g, '"dateModified": "<modified>"');
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
