import { formatServerDate } from '@procurement/contracts/reading/instant';
import { problem } from '@procurement/contracts/problems/problems';
import { omitEmpty } from '@procurement/domain/omit-empty';
import type { EarlyAwardInput, StoredAward } from '@procurement/contracts/resources/award';
import type { Decision } from '@procurement/domain/decision';
import { applyEffect, cancelledAward } from './award.effects.ts';
import { newAward } from './award.new.ts';
import { offerOf } from './award.next.ts';
import { guardsAreOpen } from './awarding.permissions.ts';
import type { Awarding, AwardingEvent, CreationMeta, OpenedBid, Party } from './awarding.ts';

const EFFECTS = { pending: 'edit', active: 'activate', unsuccessful: 'disqualify' } as const;

/**
 * What an older segment posts as decided (bids-awards-auction.md 3.8). Decision of that section: the award that the service has
 * made for the same bid is adopted, since the client believes to be creating it; effects are those of deciding about it.
 */
export function postEarlyAward(
  awarding: Awarding,
  posted: EarlyAwardInput,
  meta: CreationMeta,
): Decision<AwardingEvent> {
  const { awards } = awarding;
  const bid = bidOf(awarding.bids ?? [], posted);
  const rivals = awards.filter(
    (award) => award.lotID === posted.lotID && (award.status === 'pending' || award.status === 'active'),
  );
  const adopted = rivals.find((award) => award.status === 'pending' && bid !== undefined && award.bid_id === bid.id);
  if (adopted !== undefined) {
    const { suppliers: _s, value: _v, bid_id: _b, ...said } = newAward(posted, adopted.id, adopted.date);
    const award = { ...adopted, ...said, complaintPeriod: adopted.complaintPeriod };
    return acceptWithEffect(awarding, award, posted.status, meta);
  }
  const blockingAward = rivals.find((award) => award.status === 'active') ?? rivals[0];
  if (blockingAward !== undefined && (blockingAward.status === 'active' || !mayReplacePending(awarding, meta))) {
    return { refused: problem('award.add-another', { status: blockingAward.status }) };
  }
  const replacedIds = new Set(rivals.map((award) => award.id));
  const kept = awards.map((award) => (replacedIds.has(award.id) ? cancelledAward(award, meta.now, meta.now) : award));
  const offer = bid === undefined ? undefined : offerOf(bid, posted.lotID);
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

/** Test beds may start over; elsewhere an award that waits for its decision is not pushed aside. */
function mayReplacePending({ tender }: Awarding, { actor, settings }: CreationMeta): boolean {
  const isSandboxTest = settings.sandbox && tender.mode === 'test';
  return isSandboxTest || guardsAreOpen(actor, settings, tender.status);
}

/** The bid that is meant: the one that is named, else the only one of that lot whose bidder has the same identifier. */
function bidOf(bids: readonly OpenedBid[], { bid_id, lotID, suppliers }: EarlyAwardInput): OpenedBid | undefined {
  if (bid_id !== undefined) return bids.find((bid) => bid.id === bid_id);
  const [supplier] = suppliers;
  const [first, another] = bids.filter(
    (bid) => offerOf(bid, lotID) !== undefined && (bid.tenderers ?? []).some((party) => isSameParty(party, supplier)),
  );
  return another === undefined ? first : undefined;
}

/** Without a number nobody is the same as anybody. */
function isSameParty({ identifier }: Party, other: Party | undefined): boolean {
  const { scheme, id } = identifier;
  return id !== undefined && other?.identifier.scheme === scheme && other.identifier.id === id;
}
