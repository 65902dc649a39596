import { problem } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Signer, Verifier } from '@procurement/proof/notes';
import type pg from 'pg';
import type { Witness } from '../config.ts';
import type { LogFiles } from '../files/log-files.ts';
import type { Nodes } from '../store/nodes.ts';

/** What reads need. */
export interface ReadDeps {
  readonly pool: pg.Pool;
  readonly nodes: Nodes;
  readonly files: LogFiles;
  readonly signers: readonly Signer[];
  readonly blindKey: Uint8Array;
  readonly witnesses: readonly Witness[];
  readonly receiptKeys: readonly Verifier[];
}

export interface LogAnswer {
  readonly body: string | Buffer;
  readonly type: string;
  readonly cache: string;
}

/** Text in UTF-8 that may be kept for so many seconds. */
export function textAnswer(body: string, seconds: number): LogAnswer {
  return { body, type: 'text/plain; charset=utf-8', cache: `public, max-age=${seconds}` };
}

/** A refusal of a part of the address. */
export function notFound(name: 'path' | 'index' | 'tender_id'): ProblemError {
  return new ProblemError(problem('log.not-found', { name }));
}

const INT = /^(?:0|[1-9]\d{0,14})$/;

/** Undefined for a text that is no `int` of the log. */
export function parseInteger(text: string): number | undefined {
  return INT.test(text) ? Number(text) : undefined;
}

const PUBLISHED = 'SELECT published::text AS size FROM head WHERE id = 1';

/** Size of the log that is served. */
export async function publishedSize(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ size: string }>({ name: 'head-published', text: PUBLISHED });
  return Number(rows[0]?.size ?? 0);
}
