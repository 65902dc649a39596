import {
  ConflictError,
  IdleInTransactionError,
  isDatabaseUnavailable,
  isStatementTimeout,
} from '@procurement/kit/database/transaction';

/** Whether the same request may succeed in a moment. What was asked may have been stored: the repeat finds out. */
export function isUnavailable(error: unknown): boolean {
  const isLost = error instanceof ConflictError || error instanceof IdleInTransactionError;
  return isLost || isDatabaseUnavailable(error) || isStatementTimeout(error);
}
