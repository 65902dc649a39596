import { ConnectionError, isProblem, type ProblemKind } from '@procurement/client';
import { CommanderError } from 'commander';
import { printable } from './output.ts';

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
  if (error instanceof UsageError || error instanceof CommanderError) return EXIT.usage;
  if (error instanceof ConnectionError) return EXIT.unavailable;
  return isProblem(error) ? (BY_KIND[error.kind] ?? EXIT.refused) : EXIT.refused;
}

function messageOf(error: unknown): string {
  if (error instanceof CommanderError && error.code === 'commander.help')
    return 'a command is missing: --help lists them';
  return error instanceof Error ? error.message : String(error);
}

/** What went wrong, without a stack: for people a line for each fault, in JSON one object in one line. */
export function failureText(error: unknown, isJson: boolean): string {
  const message = messageOf(error);
  const exitCode = exitCodeOf(error);
  if (!isProblem(error)) return isJson ? JSON.stringify({ error: { exitCode, message } }) : printable(message);
  const { status, errors, faults, requestId, request } = error;
  if (isJson) return JSON.stringify({ error: { exitCode, message, status, errors, faults, requestId } });
  return [
    `${request.method} ${request.path} answered ${status}`,
    ...faults.map(({ path, text, code }) => `  ${path}: ${text}${code === undefined ? '' : ` (${code})`}`),
    ...new Set(faults.flatMap(({ link }) => (link === undefined ? [] : [`see ${link}`]))),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
  ]
    .map(printable)
    .join('\n');
}
