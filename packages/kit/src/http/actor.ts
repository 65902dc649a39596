import type { Actor } from '@procurement/contracts/api/actor';
import type { Identity } from './identity.ts';

/** The caller as the domain sees it: what the gateway vouches for, without transport matters. */
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
