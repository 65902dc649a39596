import type { Actor } from '@procurement/contracts/api/actor';
import type { OwnershipFacts } from '@procurement/contracts/events/ownership';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { parseWith } from '@procurement/contracts/reading/parse-with';
import type { tenderOwnershipApi } from '@procurement/contracts/api/transfers.api';
import { allowing, invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import { admitWrite, isTestOnly } from './admission.ts';
import { equalHashes, type Owned, type Ownership } from './ownership.ts';
import { isFinal, isUnfinished, statusesThat } from './tender-status.ts';

/** The body of a change of owner. The transfer token is hashed by the handler: it is stored and logged nowhere. */
export interface OwnershipRequest {
  readonly transferId: string;
  /** SHA-256 (hex) of the transfer token of the object. */
  readonly transferHash: string;
}

/** The owner after a change: all of it comes from the transfer. */
export interface NewOwnership extends Owned {
  readonly transferHash: string;
}

/** A change of the owner of the object at `path`, with what the other services say about it. */
export interface OwnershipChange {
  readonly request: OwnershipRequest;
  readonly facts: OwnershipFacts;
  /** Path as the transfer keeps it: without the segment. */
  readonly path: string;
}

export interface OwnershipAdmissionInput {
  /** Body schema from the contract of the route. */
  readonly schema: (typeof tenderOwnershipApi)['changeTenderOwner']['body'];
  readonly body: BodyResult;
  readonly actor: Actor;
  /** Level that creates such an object: 1 for tenders, 2 for bids and complaints (http.md 3.1). */
  readonly level: '1' | '2';
  /** The mode of the tender. */
  readonly mode: string | undefined;
  /** Why the owner cannot change any more. */
  readonly over: Problem | undefined;
  readonly sha256: (text: string) => string;
}

/** The refusal to change the owner of what belongs to a tender that is over. */
export function finalRefusal(status: string): Problem | undefined {
  if (!isFinal(status)) return undefined;
  return allowing(problem('ownership.status', { status }), { allowedStatuses: statusesThat(isUnfinished) });
}

/** The checks before any other service is asked, in the order of http.md 0.2. */
export function admitOwnershipChange({
  schema,
  body,
  actor,
  level,
  mode,
  over,
  sha256,
}: OwnershipAdmissionInput): { readonly request: OwnershipRequest } | { readonly refused: Problem } {
  const admission = admitWrite(body, actor, actor.group === 'brokers', {
    accreditation: levelRefusal(actor, level, mode),
  });
  if ('refused' in admission) return admission;
  const reading = parseWith(schema, admission.data);
  if (!reading.ok) return { refused: invalid(reading.errors) };
  if (over !== undefined) return { refused: over };
  const { id, transfer } = reading.value;
  return { request: { transferId: id, transferHash: sha256(transfer) } };
}

function levelRefusal(actor: Actor, level: string, mode: string | undefined): Problem | undefined {
  if (!actor.levels.includes(level)) return problem('ownership.level');
  return isTestOnly(actor) && mode !== 'test' ? problem('ownership.test-only') : undefined;
}

/** Flag of a broker that has left: its objects may be taken over (http.md 3.1). */
const HAS_LEFT = 'x';

/**
 * The new owner of an object, or the refusal. Undefined when the change was made already: a repeat of the request has no further
 * effect.
 */
export function decideOwnershipChange(
  { request: { transferHash }, facts: { transfer, ownerLevels }, path }: OwnershipChange,
  { present, actor }: { readonly present: Ownership; readonly actor: Actor },
): { readonly next: NewOwnership | undefined } | { readonly refused: Problem } {
  const own = transfer?.broker === actor.broker ? transfer : undefined;
  if (own?.usedFor === path && own.broker === present.owner && equalHashes(own.tokenHash, present.tokenHash)) {
    return { next: undefined };
  }
  // The objects of a broker that does not exist any more may be taken over, too.
  if (ownerLevels?.includes(HAS_LEFT) === false) return { refused: problem('ownership.owner-level') };
  if (own === undefined || !equalHashes(transferHash, present.transferHash)) {
    return { refused: problem('ownership.transfer') };
  }
  if (own.usedFor !== undefined && own.usedFor !== path) return { refused: problem('ownership.transfer-used') };
  return { next: { owner: own.broker, tokenHash: own.tokenHash, transferHash: own.transferHash } };
}
