import type { Actor } from '@procurement/contracts/api/actor';

// In place of the hashes of owner tokens.
export const OWNER_HASH = 'a'.repeat(64);
export const BIDDER_HASH = 'b'.repeat(64);
export const COMPLAINANT_HASH = 'c'.repeat(64);

const authenticated = { levels: '1234', segment: '2.5' } as const;

/**
 * Callers of every group and role, for tests of decisions. `otherBroker` has no token. `wrongBroker` has the token of the owner and
 * the key of another broker.
 */
export const ACTORS = {
  owner: { ...authenticated, broker: 'buyer', group: 'brokers', tokenHash: OWNER_HASH },
  bidder: { ...authenticated, broker: 'seller', group: 'brokers', tokenHash: BIDDER_HASH },
  complainant: { ...authenticated, broker: 'seller', group: 'brokers', tokenHash: COMPLAINANT_HASH },
  otherBroker: { ...authenticated, broker: 'seller', group: 'brokers' },
  wrongBroker: { ...authenticated, broker: 'seller', group: 'brokers', tokenHash: OWNER_HASH },
  reviewer: { ...authenticated, broker: 'reviewer', group: 'reviewers' },
  Administrator: { ...authenticated, broker: 'root', group: 'Administrator' },
  admins: { ...authenticated, broker: 'admin', group: 'admins' },
  chronograph: { ...authenticated, broker: 'clock', group: 'chronograph' },
  auction: { ...authenticated, broker: 'auction', group: 'auction' },
  anonymous: { group: 'anonymous', credentials: 'missing', levels: '', segment: '2.5' },
} as const satisfies Record<string, Actor>;
export type ActorName = keyof typeof ACTORS;
