import { ConflictError } from '@procurement/kit/database/transaction';
import { UnavailableError } from '@procurement/kit/runtime/unavailable-error';

/** Codes of PostgreSQL and of connections: what was asked may have been stored, and the repeat finds out. */
const UNAVAILABLE_CODES = /^(?:08|53|57|25P03)|^(?:ECONN|ENOTFOUND|EPIPE|ETIMEDOUT)/;
const UNAVAILABLE_TEXTS = /timeout|terminated|Connection/i;

/** Whether the same request may succeed in a moment. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof UnavailableError || error instanceof ConflictError) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return UNAVAILABLE_CODES.test(code) || UNAVAILABLE_TEXTS.test(error.message);
}
