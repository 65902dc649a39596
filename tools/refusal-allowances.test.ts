import type { Problem } from '@procurement/contracts/problems/problems';
import { closedRefusal } from '@procurement/domain/complaints';
import { finalRefusal } from '@procurement/domain/ownership-change';
import { ACTORS } from '@procurement/testing/actors';
import { AUTHOR } from '@procurement/testing/bodies';
import { padId, LOT_1 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import * as awards from '../services/awards/test-support/run-command.ts';
import { biddingRefusal } from '../services/bids/src/domain/bid.guards.ts';
import { bidVisibilityRefusal, visibleBids } from '../services/bids/src/domain/bid.visibility.ts';
import { bidMeta, storedBid, tenderFacts } from '../services/bids/test-support/bidding-facts.ts';
import { runCommand, tenderWithLots, type CommandResult } from '../services/tenders/test-support/run-command.ts';
import * as tenders from '../services/tenders/test-support/run-command.ts';

const ENQUIRIES = ['active.enquiries'];
const BEFORE_AUCTION = ['active.enquiries', 'active.tendering'];
const AWARDING = ['active.qualification', 'active.awarded'];
const RUNNING = ['active.enquiries', 'active.tendering', 'active.auction', ...AWARDING];
const UNFINISHED = ['draft', ...RUNNING];
const OPENED = [...AWARDING, 'complete', 'unsuccessful'];

const OPEN_COMPLAINT = ['draft', 'claim', 'answered', 'pending'];

const TENDERING = { allowedFrom: '2026-05-10T00:00:00+03:00', allowedUntil: '2026-05-20T18:00:00+03:00' };
const ENQUIRY_FROM = '2026-05-04T10:15:00.120034+03:00';

const QUESTION = { author: AUTHOR, title: 'Питання', description: 'Яке?' };
const CLAIM = { author: AUTHOR, title: 'Вимога', status: 'claim' };
const LOT = { title: 'x', value: { amount: 5 }, minimalStep: { amount: 1 } };
const seller = { actor: ACTORS.bidder };
const claimant = { actor: ACTORS.complainant };

const tender = tenderWithLots();
const asked = tenders.add(tender, 'AskQuestion', QUESTION, { ...seller, id: '1' }).state;
const claimed = tenders.add(tender, 'FileComplaint', CLAIM, { ...claimant, id: '2' }).state;
const cancelling = tenders.add(tender, 'AddCancellation', { reason: 'x' }, { id: '3' }).state;
const complete = (state: tenders.CommandResult['state']) => tenders.inStatus(state, 'complete');
const inAuction = (state: tenders.CommandResult['state']) => tenders.inStatus(state, 'active.auction');

const opened = awards.withOpenedBids([awards.bid('b1', 390), awards.bid('b2', 400)]);
const awarded = awards.patchAward(opened, 0, { status: 'active' }).state;
const over = (state: typeof opened) => awards.withTender(state, { status: 'complete' });
const complained = awards.fileComplaint(awarded, 0).state;
const signed = awards.patchContract(awarded, 0, { status: 'active' }, { now: awards.hours(500) }).state;
const unsuccessful = awards.patchAward(opened, 0, { status: 'unsuccessful' }).state;

const viewer = {
  tenderStatus: 'active.tendering',
  phase: 'open',
  actor: ACTORS.owner,
  settings: { legacyGuardsOpen: false },
} as const;
const ofBids = (operation: 'add' | 'update' | 'delete', status: string, now?: string): Problem | undefined =>
  biddingRefusal(
    operation,
    { tender: tenderFacts({ status }), phase: 'open' },
    bidMeta(now === undefined ? {} : { now }),
  );

type Refusal = Problem | undefined | Pick<CommandResult, 'refused'>;

/** Each refusal of the three services that depends on a time or a status, and when or in which statuses it says that it would not come. */
const REFUSALS: readonly (readonly [code: string, refuse: () => Refusal, allowance: object])[] = [
  ['tender.update-status', () => tenders.patch(complete(tender), { title: 'y' }), { allowedStatuses: RUNNING }],
  ['lot.add-status', () => tenders.add(inAuction(tender), 'AddLot', LOT), { allowedStatuses: ENQUIRIES }],
  [
    'lot.update-status',
    () => tenders.change(inAuction(tender), 'ChangeLot', LOT_1, { title: 'y' }),
    { allowedStatuses: ENQUIRIES },
  ],
  [
    'lot.delete-status',
    () =>
      runCommand(inAuction(tender), {
        type: 'DeleteLot',
        id: LOT_1,
        body: { kind: 'data', data: {} },
        meta: metaOfOwner(),
      }),
    { allowedStatuses: ENQUIRIES },
  ],
  [
    'question.add-period',
    () => tenders.add(tender, 'AskQuestion', QUESTION, { ...seller, now: tenders.hours(24 * 7) }),
    { allowedFrom: ENQUIRY_FROM, allowedUntil: TENDERING.allowedFrom, allowedStatuses: ENQUIRIES },
  ],
  [
    'question.update-status',
    () => tenders.change(inAuction(asked), 'AnswerQuestion', padId('1'), { answer: 'x' }),
    { allowedStatuses: ENQUIRIES },
  ],
  [
    'complaint.add-status',
    () => tenders.add(inAuction(tender), 'FileComplaint', CLAIM, seller),
    { allowedStatuses: BEFORE_AUCTION },
  ],
  [
    'complaint.update-tender-status',
    () =>
      tenders.change(
        complete(claimed),
        'ChangeComplaint',
        padId('2'),
        { status: 'cancelled', cancellationReason: 'x' },
        claimant,
      ),
    { allowedStatuses: RUNNING },
  ],
  [
    'complaint.update-status',
    () => closedRefusal({ ...requireClaim(claimed), status: 'cancelled' }),
    { allowedStatuses: OPEN_COMPLAINT },
  ],
  [
    'cancellation.add-status',
    () => tenders.add(complete(tender), 'AddCancellation', { reason: 'x' }),
    { allowedStatuses: UNFINISHED },
  ],
  [
    'cancellation.update-status',
    () => tenders.change(complete(cancelling), 'ChangeCancellation', padId('3'), { status: 'active' }),
    { allowedStatuses: UNFINISHED },
  ],
  ['ownership.status', () => finalRefusal('complete'), { allowedStatuses: UNFINISHED }],
  ['bid.add-status', () => ofBids('add', 'active.auction'), { allowedStatuses: ['active.tendering'] }],
  ['bid.update-status', () => ofBids('update', 'active.auction'), { allowedStatuses: ['active.tendering'] }],
  ['bid.delete-status', () => ofBids('delete', 'active.auction'), { allowedStatuses: ['active.tendering'] }],
  ['bid.add-period', () => ofBids('add', 'active.tendering', '2026-05-21'), TENDERING],
  ['bid.update-period', () => ofBids('update', 'active.tendering', '2026-05-21'), TENDERING],
  ['bid.delete-period', () => ofBids('delete', 'active.tendering', '2026-05-21'), TENDERING],
  ['bid.list-sealed', () => refusalOf(visibleBids(viewer, [storedBid()])), { allowedStatuses: OPENED }],
  ['bid.sealed', () => bidVisibilityRefusal(viewer, storedBid(), false), { allowedStatuses: OPENED }],
  [
    'award.add-status',
    () =>
      awards.postAward(
        over(opened),
        { suppliers: [awards.party('b1')], bid_id: padId('b1') },
        { actor: ACTORS.admins },
      ),
    { allowedStatuses: ['active.qualification'] },
  ],
  [
    'award.update-tender-status',
    () => awards.patchAward(over(opened), 0, { status: 'active' }),
    { allowedStatuses: AWARDING },
  ],
  [
    'award.update-status',
    () => awards.patchAward(unsuccessful, 0, { status: 'active' }),
    { allowedStatuses: ['pending'] },
  ],
  [
    'award.update-status',
    () => awards.patchAward(unsuccessful, 0, { status: 'cancelled' }),
    { allowedStatuses: ['active'] },
  ],
  ['award.update-status', () => awards.patchAward(unsuccessful, 0, { title: 'x' }), { allowedStatuses: ['pending'] }],
  ['complaint.add-status', () => awards.fileComplaint(over(awarded), 0), { allowedStatuses: AWARDING }],
  [
    'award-complaint.add-period',
    () => awards.fileComplaint(awarded, 0, {}, { now: awards.hours(500) }),
    { allowedFrom: awards.NOW_TEXT, allowedUntil: awards.STAND_STILL_END },
  ],
  [
    'complaint.update-tender-status',
    () => awards.patchComplaint(over(complained), 0, { status: 'cancelled', cancellationReason: 'x' }, claimant),
    { allowedStatuses: AWARDING },
  ],
  [
    'contract.stand-still',
    () => awards.patchContract(awarded, 0, { status: 'active' }),
    { allowedFrom: awards.STAND_STILL_END },
  ],
  [
    'contract.update-tender-status',
    () => awards.patchContract(over(awarded), 0, { status: 'active' }),
    { allowedStatuses: AWARDING },
  ],
  [
    'contract.update-status',
    () => awards.patchContract(signed, 0, { status: 'pending' }),
    { allowedStatuses: ['pending'] },
  ],
  ['contract.add-status', () => postContract(over(awarded)), { allowedStatuses: AWARDING }],
];

function requireClaim({ document: { complaints: [claim] = [] } }: typeof claimed) {
  if (claim === undefined) throw new Error('no claim');
  return claim;
}

function metaOfOwner() {
  return { now: tenders.NOW, actor: ACTORS.owner, settings: tenders.SETTINGS, nextId: () => padId('e') };
}

function postContract(state: typeof opened) {
  const data = { awardID: awards.awardAt(state, 0).id };
  const meta = { ...awards.buildMeta(state, { actor: ACTORS.admins }), id: padId('9') };
  return awards.runCommand(state, { type: 'PostContract', body: { kind: 'data', data }, meta });
}

function refusalOf(result: ReturnType<typeof visibleBids>): Problem | undefined {
  return 'refused' in result ? result.refused : undefined;
}

const MEMBERS = ['allowedFrom', 'allowedUntil', 'allowedStatuses'] as const;

describe('a refusal that depends on a time or a status (http.md 4.6)', () => {
  it.each(REFUSALS)('%s says when it would not come', (code, refuse, allowance) => {
    const result = refuse();
    const refusal = result !== undefined && 'refused' in result ? result.refused : result;
    expect(refusal?.code).toBe(code);
    const [error = {}] = (refusal as Problem | undefined)?.errors ?? [];
    const said = Object.fromEntries(
      Object.entries(error).filter(([name]) => MEMBERS.some((member) => member === name)),
    );
    expect(said).toEqual(allowance);
  });
});
