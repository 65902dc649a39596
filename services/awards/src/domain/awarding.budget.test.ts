import {
  AWARD_COMPLAINT_BYTES_MAX,
  AWARDING_BYTES_MAX,
  BROKER_SHARE_OF_QUOTA,
  OBJECT_BYTES_MAX,
  TENDER_OBJECTS_MAX,
} from '@procurement/contracts/limits';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { StoredComplaint } from '@procurement/contracts/resources/complaint';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import { complaintBytes } from '@procurement/domain/budget';
import { jsonBytes, toJsonText } from '@procurement/domain/json-text';
import { ACTORS } from '@procurement/testing/actors';
import { padId } from '@procurement/testing/ids';
import { copies, filling, sized } from '@procurement/testing/sized';
import { describe, expect, it } from 'vitest';
import { AUTHOR, awardAt, bid, buildMeta, withOpenedBids } from '../../test-support/run-command.ts';
import { budgetRefusal } from './awarding.budget.ts';
import type { Awarding, AwardingCommand } from './awarding.ts';

const id = padId('1');
const awarding = withOpenedBids([bid('b1', 390)]);
const body = { kind: 'data', data: {} } as const;
const meta = buildMeta(awarding, { actor: ACTORS.bidder });
const filing = { ...meta, id, tokenHash: '', transferHash: '', bidders: [] };

const COMMANDS = {
  ChangeAward: { type: 'ChangeAward', id, body, meta },
  ChangeContract: { type: 'ChangeContract', id, body, meta },
  PostContract: { type: 'PostContract', body, meta: { ...meta, id } },
  FileComplaint: { type: 'FileComplaint', awardId: id, body, meta: filing },
  ChangeComplaint: { type: 'ChangeComplaint', awardId: id, id, body, meta },
} as const satisfies Record<string, AwardingCommand>;

const award: StoredAward = { ...awardAt(awarding, 0), id };
const contract: StoredContract = { id, awardID: id, contractID: '', status: 'pending', date: '', dateCreated: '' };
// Safe cast: a party of the tests is a complete organisation.
const author = AUTHOR as StoredComplaint['author'];
const complaint: StoredComplaint = { id, complaintID: '', type: 'claim', status: 'claim', date: '', author, title: '' };

function complained(complaints: readonly StoredComplaint[], owner = 'seller'): Awarding {
  const owners = complaints.map((one) => [one.id, { owner, tokenHash: '', transferHash: '' }] as const);
  return { ...awarding, awards: [{ ...award, complaints }], complaintOwners: Object.fromEntries(owners) };
}

const textBytes = ({ title, description }: { title?: string | undefined; description?: string | undefined }): number =>
  jsonBytes({ title, description });
const authorBytes = (one: StoredComplaint): number => complaintBytes(one).author;
const replyBytes = (one: StoredComplaint): number => complaintBytes(one).replies;
const decisionBytes = (one: StoredComplaint): number => complaintBytes(one).decisions;

interface Scenario {
  readonly command: AwardingCommand;
  readonly max: number;
  /** A state that takes exactly this many bytes or objects. */
  readonly at: (measure: number) => Awarding;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'limit.award-bytes': {
    command: COMMANDS.ChangeAward,
    max: OBJECT_BYTES_MAX.award,
    at: (bytes) => ({ ...awarding, awards: [sized(award, 'description', bytes, textBytes)] }),
  },
  'limit.awards': {
    command: COMMANDS.ChangeAward,
    max: TENDER_OBJECTS_MAX.awards.ofTender,
    at: (count) => ({ ...awarding, awards: copies(award, count) }),
  },
  'limit.awarding-quota': {
    command: COMMANDS.ChangeAward,
    max: AWARDING_BYTES_MAX,
    at: (bytes) => ({
      ...awarding,
      awards: filling(award, 'date', Math.floor(bytes / 2)),
      contracts: filling(contract, 'date', Math.ceil(bytes / 2)),
    }),
  },
  'limit.contract-bytes': {
    command: COMMANDS.ChangeContract,
    max: OBJECT_BYTES_MAX.contract,
    at: (bytes) => ({ ...awarding, contracts: [sized(contract, 'description', bytes, textBytes)] }),
  },
  'limit.contracts': {
    command: COMMANDS.PostContract,
    max: TENDER_OBJECTS_MAX.contracts.ofTender,
    at: (count) => ({ ...awarding, contracts: copies(contract, count) }),
  },
  'limit.complaint-bytes': {
    command: COMMANDS.ChangeComplaint,
    max: OBJECT_BYTES_MAX.complaint,
    at: (bytes) => complained([sized(complaint, 'title', bytes, authorBytes)]),
  },
  'limit.complaints': {
    command: COMMANDS.FileComplaint,
    max: TENDER_OBJECTS_MAX.awardComplaints.ofTender,
    at: (count) => complained(copies(complaint, count), 'other'),
  },
  'limit.complaints-of-broker': {
    command: COMMANDS.FileComplaint,
    max: TENDER_OBJECTS_MAX.awardComplaints.ofBroker,
    at: (count) => complained(copies(complaint, count)),
  },
  'limit.complaint-quota': {
    command: COMMANDS.FileComplaint,
    max: AWARD_COMPLAINT_BYTES_MAX.complaints,
    at: (bytes) => complained(filling(complaint, 'title', bytes, authorBytes), 'other'),
  },
  'limit.complaint-quota-of-broker': {
    command: COMMANDS.FileComplaint,
    max: Math.floor(AWARD_COMPLAINT_BYTES_MAX.complaints * BROKER_SHARE_OF_QUOTA),
    at: (bytes) => complained(filling(complaint, 'title', bytes, authorBytes)),
  },
  'limit.reply-quota': {
    command: COMMANDS.ChangeComplaint,
    max: AWARD_COMPLAINT_BYTES_MAX.replies,
    at: (bytes) => complained(filling(complaint, 'resolution', bytes, replyBytes)),
  },
  'limit.decision-quota': {
    command: COMMANDS.ChangeComplaint,
    max: AWARD_COMPLAINT_BYTES_MAX.decisions,
    at: (bytes) => complained(filling(complaint, 'decision', bytes, decisionBytes)),
  },
};

function refusalOf(command: AwardingCommand, before: Awarding, after: Awarding): Problem | undefined {
  const { awards, contracts } = after;
  return budgetRefusal(command, { before, after, documentText: toJsonText({ awards, contracts }) });
}

const nothing = { ...awarding, awards: [] };

describe.each(Object.entries(SCENARIOS))('%s', (code, { command, max, at }) => {
  it('holds for what clients add: accepted at the limit, refused above it', () => {
    expect(refusalOf(command, nothing, at(max))).toBeUndefined();
    const { status, errors, code: found } = refusalOf(command, nothing, at(max + 1)) ?? {};
    expect([found, status, errors?.[0]?.description]).toEqual([
      code,
      422,
      expect.stringContaining(`No more than ${max} `),
    ]);
  });

  it('lets what is above it stay', () => {
    const above = at(max + 1);
    expect(refusalOf(command, above, above)).toBeUndefined();
  });
});

describe('budgetRefusal', () => {
  it('never refuses clock ticks and opened bids', () => {
    const after = SCENARIOS['limit.awards']?.at(5_000) ?? awarding;
    const tick: AwardingCommand = { type: 'ApplyExternalInput', input: { type: 'Tick' }, meta };
    expect(refusalOf(tick, nothing, after)).toBeUndefined();
  });

  it('lets a complaint be withdrawn with a reason, and go on, where the quota of its broker is full', () => {
    const max = Math.floor(AWARD_COMPLAINT_BYTES_MAX.complaints * BROKER_SHARE_OF_QUOTA);
    const before = complained(filling(complaint, 'title', max, authorBytes));
    const change = { status: 'cancelled', cancellationReason: 'ї'.repeat(100), dateCanceled: 'x' } as const;
    const [first, ...others] = before.awards[0]?.complaints ?? [];
    const after = complained([{ ...complaint, ...first, ...change }, ...others]);
    expect(refusalOf(COMMANDS.ChangeComplaint, before, after)).toBeUndefined();
  });
});
