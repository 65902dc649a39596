import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillPlaceholders } from './placeholders.ts';

/** One request and its answer, as a story recorded them. Placeholders are filled with made-up values. */
export interface Exchange {
  readonly segment: string;
  /** Name of the story: the file without its ending. */
  readonly story: string;
  /** Position in the story, from 1. */
  readonly number: number;
  readonly method: string;
  /** Path below `/api/<segment>`, without the query. */
  readonly path: string;
  readonly query: string;
  /** JSON of the request; undefined without a body and for a file. */
  readonly request: unknown;
  /** The body is a file. */
  readonly isUpload: boolean;
  readonly status: number;
  readonly response: unknown;
}

const GOLDEN = join(import.meta.dirname, '../../test/golden');

/** All exchanges of `test/golden`, in the order of segment, story and number. */
export function goldenExchanges(): readonly Exchange[] {
  return readdirSync(GOLDEN)
    .sort()
    .flatMap((segment) =>
      readdirSync(join(GOLDEN, segment))
        .sort()
        .flatMap((file) => {
          const text = fillPlaceholders(readFileSync(join(GOLDEN, segment, file), 'utf8'));
          return parseExchanges(text, { segment, story: file.replace(/\.http$/, '') });
        }),
    );
}

/** The format that `test/support/recorder.ts` writes. */
export function parseExchanges(text: string, where: Pick<Exchange, 'segment' | 'story'>): readonly Exchange[] {
  return text
    .split(/^### (?=\d+$)/m)
    .slice(1)
    .map((entry) => parseExchange(entry, where));
}

function parseExchange(entry: string, where: Pick<Exchange, 'segment' | 'story'>): Exchange {
  const match = /^(\d+)\n([A-Z]+) (\S+)\nas [^\n]*\n([^]*?)\n?-> (\d{3})\n(?:Location: [^\n]*\n)?\n([^]*)$/.exec(entry);
  if (match === null) throw new Error(`${where.story}: not a recorded exchange:\n${entry.slice(0, 200)}`);
  const [, number = '', method = '', target = '', head = '', status = '', answer = ''] = match;
  const [path = '', query = ''] = target.split('?');
  const isUpload = /^Content-Type: (?!application\/json)/m.test(head);
  const body = head.replace(/^Content-Type: [^\n]*\n/, '').trim();
  return {
    ...where,
    number: Number(number),
    method,
    path,
    query,
    request: isUpload || body === '' ? undefined : JSON.parse(body),
    isUpload,
    status: Number(status),
    // Notes of the story follow the answer, each on a line of its own.
    response: JSON.parse(answer.replace(/\n# [^\n]*(?=\n|$)/g, '')),
  };
}
