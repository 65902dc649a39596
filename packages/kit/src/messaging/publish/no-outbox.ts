import type { Outbox } from './outbox.ts';
import type { Relay } from './relay.ts';

/** The relay of a service that owns no stream: it has nothing to publish. */
export const noRelay: Relay = {
  wake() {},
  backlog: async () => ({ waiting: 0, oldestSeconds: 0 }),
  lost: () => undefined,
  async lookForLoss() {},
  renewStream: refuse,
  async stop() {},
};

/** The outbox of such a service. Throws when an event is added: its database has no table for it. */
export const noOutbox: Outbox = {
  row: refuse,
  columns: refuse,
  append: refuse,
  awaitApplied: refuse,
  wake() {},
  wakeReaders() {},
  wakeIfRowsAdded: () => () => undefined,
};

function refuse(): never {
  throw new Error('this service owns no stream and publishes no events');
}
