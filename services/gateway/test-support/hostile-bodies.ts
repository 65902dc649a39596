import fc from 'fast-check';
import { expect } from 'vitest';

const MEBIBYTE = 1024 * 1024;
/** Largest JSON body that the gateway reads (http.md 4.5). */
const BODY_BYTES_MAX = 4 * MEBIBYTE;

/** A body of the given size: a head, one piece repeated, and a tail. It need not be JSON. */
export interface HostileBody {
  readonly head: string;
  readonly piece: string;
  readonly tail: string;
}

/** The text of a body, filled with its piece up to a number of bytes. Pieces are ASCII. */
export function bodyText({ head, piece, tail }: HostileBody, bytes = BODY_BYTES_MAX): string {
  return head + piece.repeat(Math.floor((bytes - head.length - tail.length) / piece.length)) + tail;
}

const HEADS = ['', '{', '{"access":', '{"access":0,"a":"', '{"access":{"token":"', '{"options":[', '{"access":0', '[{'];
const TAILS = ['', '}', '"data":{}}', '","data":{}}', '0],"data":{}}'];
const MEMBER_NAMES = ['', 'a', 'access', '\\u0061ccess', 'options', 'data', '\\u0061', '\\"', '__proto__'];
const VALUES = ['0', '{}', '[]', '{"token":"T"}', '{"pretty":1}', '"', '\\', '[', '{', 'x', ' '];

/** Bodies of repeated members, brackets, quotes, escapes and blanks. */
export function hostileBodies(): fc.Arbitrary<HostileBody> {
  const member = fc
    .tuple(fc.constantFrom(...MEMBER_NAMES), fc.constantFrom(...VALUES), fc.constantFrom(',', ' ,', '', ':'))
    .map(([name, value, end]) => `"${name}":${value}${end}`);
  const token = fc.constantFrom(
    '[',
    '{',
    '"',
    '\\',
    '\\\\',
    '\\"',
    ' ',
    ',',
    ':',
    '{},',
    '0,',
    '"a":',
    '{"a":',
    'true',
  );
  const piece = fc.oneof(
    member,
    token,
    fc.array(token, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  );
  return fc.record({ head: fc.constantFrom(...HEADS), piece, tail: fc.constantFrom(...TAILS) });
}

/**
 * Bound of the processor time for one body. A quiet machine takes less than 100 ms; the factor is for a busy one. What the bound
 * must find is quadratic, and takes seconds or minutes.
 */
const BODY_CPU_MS_MAX = 400;

/**
 * Milliseconds of processor time that a run takes: the first of three runs that takes no more than `enoughMs`, otherwise the least,
 * because garbage collection and compilation count too.
 */
function cpuMs(run: () => unknown, enoughMs: number): number {
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least > enoughMs; attempt += 1) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

/** Fails when a run takes more processor time than any one body may. */
export function expectCheap(run: () => unknown, msMax: number = BODY_CPU_MS_MAX): void {
  expect(cpuMs(run, msMax)).toBeLessThanOrEqual(msMax);
}
