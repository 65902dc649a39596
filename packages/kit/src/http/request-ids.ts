import type { Identity } from './identity.ts';
import { seededIds, type IdGenerator } from '../runtime/ids.ts';

/** Generator of the ids and tokens that a request creates: seeded for an idempotent request, so that a repeat gets the same. */
export function idGeneratorFor(identity: Identity, ids: IdGenerator): IdGenerator {
  return identity.seed === undefined ? ids : seededIds(identity.seed);
}
