import { ConnectionError, isProblem, type ProblemKind } from '@procurement/client';

/** A mistake in the command or its input, for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit codes, part of the interface for scripts: see README. */
export const EXIT = {
  ok: 0,
  refused: 1,
  usage: 2,
  denied: 3,
  notFound: 4,
  invalid: 5,
  unavailable: 6,
  interrupted: 130,
} as const;

const BY_KIND: Readonly<Partial<Record<ProblemKind, number>>> = {
  unauthorized: EXIT.denied,
  forbidden: EXIT.denied,
  'not-found': EXIT.notFound,
  archived: EXIT.notFound,
  invalid: EXIT.invalid,
  'too-many': EXIT.unavailable,
  unavailable: EXIT.unavailable,
};

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof ConnectionError) return EXIT.unavailable;
  return isProblem(error) ? (BY_KIND[error.kind] ?? EXIT.refused) : EXIT.refused;
}

/** Without a stack. */
export function failureText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const requestId = isProblem(error) ? error.requestId : undefined;
  return requestId === undefined ? text : `${text}\nrequest ${requestId}`;
}
