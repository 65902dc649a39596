import type { Instant } from '@procurement/contracts/reading/instant';

/** A command that is decided at an instant of its tender's time. */
export interface TimedCommand {
  readonly meta: { readonly now: Instant };
}

/** A command as a handler makes it: plain data. The store adds the time, which it reads under its locks. */
export type WithoutNow<C extends TimedCommand> = C extends unknown
  ? Omit<C, 'meta'> & { readonly meta: Omit<C['meta'], 'now'> }
  : never;

/** Adds the time at which a command is decided. */
export function commandAt<C extends TimedCommand>(command: WithoutNow<C>, now: Instant): C {
  // WithoutNow takes `meta.now` away and nothing else, which the compiler cannot follow through a union.
  return { ...command, meta: { ...command.meta, now } } as unknown as C;
}
