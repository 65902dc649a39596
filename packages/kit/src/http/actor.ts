import type { Actor } from '@procurement/contracts/api/actor';
import type { Identity } from './identity.ts';

/** Maps the verified identity to the domain's Actor: without expiry, seed and other transport members. */
export function actorOf(identity: Identity): Actor {
  return {
    group: identity.group,
    levels: identity.levels,
    segment: identity.segment,
    ...(identity.broker === undefined ? {} : { broker: identity.broker }),
    ...(identity.credentials === undefined ? {} : { credentials: identity.credentials }),
    ...(identity.tokenHash === undefined ? {} : { tokenHash: identity.tokenHash }),
  };
}
