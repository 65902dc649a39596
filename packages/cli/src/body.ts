import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { ApiRequest } from '@procurement/client';
import { UsageError } from './failures.ts';
import type { Session } from './session.ts';

export const BODY = 'JSON with or without "data": a file, - for stdin, or the text itself';

/** The parts of a body: `data` of `{"data": {...}}` and `config` beside it, or the object alone as data. */
export async function readBody(
  { readInput }: Pick<Session, 'readInput'>,
  source: string,
): Promise<Pick<ApiRequest, 'data' | 'config'>> {
  const isText = source.trimStart().startsWith('{');
  const text = isText ? source : await readInput(source);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new UsageError(`${isText ? 'the body' : source} is not JSON${placeOfFault(text)}`);
  }
  if (typeof body !== 'object' || body === null || !('data' in body)) return { data: body };
  return { data: body.data, ...('config' in body ? { config: body.config } : {}) };
}

/** JSON.parse of Node 20 does not say where the fault is. */
function placeOfFault(text: string): string {
  const faults: ParseError[] = [];
  parse(text, faults, { disallowComments: true });
  const [fault] = faults;
  if (fault === undefined) return '';
  const before = text.slice(0, fault.offset).split('\n');
  return `: line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${printParseErrorCode(fault.error)}`;
}
