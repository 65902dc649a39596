import { waitFor } from './wait-for.ts';

/** Answers of a request that waited for a lock or a freeze for longer than the service does: nothing has changed. */
const UNDECIDED: ReadonlySet<number> = new Set([409, 503]);

/** Sends a request, and sends it again while a slow machine makes it wait for longer than the service does, as a client would. */
export async function decided<T extends { readonly statusCode: number }>(send: () => Promise<T>): Promise<T> {
  let answer = await send();
  await waitFor(
    async () => {
      if (UNDECIDED.has(answer.statusCode)) answer = await send();
      return !UNDECIDED.has(answer.statusCode);
    },
    { what: 'a decision' },
  );
  return answer;
}
