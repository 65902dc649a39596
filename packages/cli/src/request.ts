import { randomUUID } from 'node:crypto';
import { isProblem, type ApiAnswer, type ApiRequest } from '@procurement/client';
import { UsageError } from './failures.ts';
import type { Session } from './session.ts';

type Requested = Pick<ApiRequest, 'method' | 'data' | 'config' | 'options'>;

/**
 * Sends a request of segment 2.5 with the token of the innermost object of its path. A POST has an idempotency key, which the user can
 * give again when the outcome is unknown, or when the token could not be stored.
 */
export async function requestAt(
  session: Session,
  path: string,
  { method, data, config, options }: Requested,
): Promise<ApiAnswer> {
  const { client, output, signal } = session;
  const idempotencyKey = options?.idempotencyKey ?? randomUUID();
  try {
    return await client.send({
      method,
      path: path.startsWith('/sandbox/') ? path : `/api/2.5${path}`,
      owners: parseOwners(path),
      ...(data === undefined ? {} : { data, config }),
      options: { ...options, idempotencyKey, signal },
    });
  } catch (error) {
    if (method === 'POST' && (!isProblem(error) || isProblem(error, 'unavailable'))) {
      output.note(`It may have been done. Repeat the command with: --idempotency-key ${idempotencyKey}`);
    }
    throw error;
  }
}

/** Returns an argument that has a value. An empty one, as of a shell variable that is not set, would name another object. */
export function requireValue(argument: string, value: string): string {
  if (value === '') throw new UsageError(`the ${argument} is empty`);
  return value;
}

/** Writes an argument as a segment of a path. */
export function encodeSegment(argument: string, value: string): string {
  return encodeURIComponent(requireValue(argument, value));
}

/** Objects of a path, the innermost first. The token of a contract is for its own address: inside a tender that of the tender counts. */
function parseOwners(path: string): readonly string[] {
  return [...path.replace(/(tenders\/\w+)\/contracts\/\w+/, '$1').matchAll(/[0-9a-f]{32}/g)]
    .map(([id]) => id)
    .toReversed();
}
