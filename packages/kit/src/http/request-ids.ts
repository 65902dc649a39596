import type { Identity } from './identity.ts';
import { seededIds, type IdGenerator } from '../runtime/ids.ts';

/** Makes the ids and tokens of what a request creates: the same again when it is a repeat of one that we may have seen. */
export function idGeneratorFor(identity: Identity, ids: IdGenerator): IdGenerator {
  return identity.seed === undefined ? ids : seededIds(identity.seed);
}
