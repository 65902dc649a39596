import { formatServerDate } from '@procurement/contracts/reading/instant';
import { problem } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import type { EarlyAwardInput, StoredAward } from '@procurement/contracts/resources/award';
import type { Decision } from '@procurement/domain/decision';
import { applyEffect, cancelledAward } from './award.effects.ts';
import { newAward } from './award.new.ts';
import { findOffer } from './award.next.ts';
import { legacyGuardsAreOpen } from '@procurement/domain/tender-status';
import type { Awarding, AwardingEvent, CreationMeta, OpenedBid, Party } from './awarding.ts';

const EFFECTS = { pending: 'edit', active: 'activate', unsuccessful: 'disqualify' } as const;

/**
 * POST of an award with its decision, by an older segment (bids-awards-auction.md 3.8). If the service already made a pending
 * award for the same bid, that award is changed instead of a second one being created. The effects are those of a PATCH.
 */
export function postEarlyAward(
  awarding: Awarding,
  posted: EarlyAwardInput,
  meta: CreationMeta,
): Decision<AwardingEvent> {
  const { awards } = awarding;
  const bid = findBid(awarding.bids ?? [], posted);
  const rivals = awards.filter(
    (award) => award.lotID === posted.lotID && (award.status === 'pending' || award.status === 'active'),
  );
  const adopted = rivals.find((award) => award.status === 'pending' && bid !== undefined && award.bid_id === bid.id);
  if (adopted !== undefined) {
    const { suppliers: _s, value: _v, bid_id: _b, ...texts } = newAward(posted, adopted.id, adopted.date);
    const award = { ...adopted, ...texts, complaintPeriod: adopted.complaintPeriod };
    return acceptWithEffect(awarding, award, posted.status, meta);
  }
  const blockingAward = rivals.find((award) => award.status === 'active') ?? rivals[0];
  if (blockingAward !== undefined && (blockingAward.status === 'active' || !mayReplacePending(awarding, meta))) {
    return { refused: problem('award.add-another', { status: blockingAward.status }) };
  }
  const replacedIds = new Set(rivals.map((award) => award.id));
  const kept = awards.map((award) => (replacedIds.has(award.id) ? cancelledAward(award, meta.now, meta.now) : award));
  const offer = bid === undefined ? undefined : findOffer(bid, posted.lotID);
  const award = omitEmpty<StoredAward>({
    ...newAward(posted, meta.id, formatServerDate(meta.now)),
    bid_id: bid?.id ?? posted.bid_id,
    value: posted.value ?? offer?.value,
  });
  return acceptWithEffect({ ...awarding, awards: [...kept, award] }, award, posted.status, meta);
}

function acceptWithEffect(
  awarding: Awarding,
  award: StoredAward,
  status: EarlyAwardInput['status'],
  meta: CreationMeta,
): Decision<AwardingEvent> {
  const parts = applyEffect(awarding, award, EFFECTS[status], meta);
  return { accepted: [{ type: 'AwardingChanged', parts, awardId: award.id }] };
}

/**
 * A posted award replaces a pending one only under open guards and for test tenders of the sandbox
 * (bids-awards-auction.md 3.8).
 */
function mayReplacePending({ tender }: Awarding, { actor, settings }: CreationMeta): boolean {
  const isSandboxTest = settings.sandbox && tender.mode === 'test';
  return isSandboxTest || legacyGuardsAreOpen(actor, settings, tender.status);
}

/** The bid named by `bid_id`; else the only bid for that lot whose tenderer has the supplier's identifier. */
function findBid(bids: readonly OpenedBid[], { bid_id, lotID, suppliers }: EarlyAwardInput): OpenedBid | undefined {
  if (bid_id !== undefined) return bids.find((bid) => bid.id === bid_id);
  const [supplier] = suppliers;
  const [first, another] = bids.filter(
    (bid) => findOffer(bid, lotID) !== undefined && (bid.tenderers ?? []).some((party) => isSameParty(party, supplier)),
  );
  return another === undefined ? first : undefined;
}

/** Same identifier scheme and id. A party without an id matches no other. */
function isSameParty({ identifier }: Party, other: Party | undefined): boolean {
  const { scheme, id } = identifier;
  return id !== undefined && other?.identifier.scheme === scheme && other.identifier.id === id;
}
