import type { ProcurementClient } from '@procurement/client';
import type { Output } from './output.ts';

/** `id`: of the object only, for scripts. */
export type Format = 'table' | 'json' | 'id';

/** What a command has to work with. */
export interface Session {
  readonly client: ProcurementClient;
  readonly output: Output;
  readonly format: Format;
  readonly signal: AbortSignal;
  readInput(file: string): Promise<string>;
}

/** Options of requests that create or change something. */
export interface WriteOptions {
  readonly idempotencyKey?: string;
  /** The object whose owner makes the request. */
  readonly as?: string;
  readonly strict?: boolean;
}
