import { z } from 'zod';

/**
 * Requests of a freeze of decisions (decision 0060): one service stops decisions of others about one object while it decides
 * itself. `number` grows with every freeze of the object, so that a late request never undoes a newer one.
 */
export const FreezeRequest = z.discriminatedUnion('act', [
  z.object({ act: z.literal('freeze'), id: z.string(), number: z.int() }),
  /** Sent only once the freeze is closed. `version`: of the facts that decisions must be made by from now on. */
  z.object({ act: z.literal('lift'), id: z.string(), number: z.int(), version: z.int() }),
]);
export type FreezeRequest = z.infer<typeof FreezeRequest>;

/**
 * Response to `freeze`. `frozen` is false for a freeze that was lifted before, or that a newer one replaced. `version`: of the
 * responder's own state, read under its lock; 0 when it has none.
 */
export const FreezeResponse = z.object({ frozen: z.boolean(), version: z.int() });
export type FreezeResponse = z.infer<typeof FreezeResponse>;

/** Request of a service whose decisions are stopped for too long. After the response nothing is decided under the freeze. */
export const FreezeOutcomeRequest = z.object({ id: z.string(), number: z.int() });
export type FreezeOutcomeRequest = z.infer<typeof FreezeOutcomeRequest>;

/** `version`: of the facts by which the stopped decisions must be made. */
export const FreezeOutcome = z.object({ version: z.int() });
export type FreezeOutcome = z.infer<typeof FreezeOutcome>;
