import { AWARD_STATUSES } from '@procurement/contracts/resources/award';
import { COMPLAINT_STATUSES } from '@procurement/contracts/resources/complaint';
import { CONTRACT_STATUSES } from '@procurement/contracts/resources/contract';
import { LOT_STATUSES } from '@procurement/contracts/resources/lot';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { ACTORS } from '@procurement/testing/actors';
import { AUTHOR, LONG_RESOLUTION } from '@procurement/testing/bodies';
import { padId, LOT_1 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import * as awards from '../../services/awards/test-support/run-command.ts';
import * as contracts from '../../services/awards/test-support/signed-contract.ts';
import type { Awarding } from '../../services/awards/src/domain/awarding.ts';
import { presentContract } from '../../services/awards/src/domain/implementation.view.ts';
import { decideBid } from '../../services/bids/src/domain/bid.decide.ts';
import { bidMeta, storedBid, tenderFacts } from '../../services/bids/test-support/bidding-facts.ts';
import * as tenders from '../../services/tenders/test-support/run-command.ts';
import { SETTABLE_STATUSES, withSettableStatuses } from './settable-statuses.ts';

/** Tries to change an object of the status `from`, in every way an owner has; the statuses that it then has. */
type Attempt = (from: string, to: string) => readonly (string | undefined)[];

interface Trial {
  readonly statuses: readonly string[];
  readonly attempt: Attempt;
}

const everyTender = TENDER_STATUSES.map((status) => tenders.inStatus(tenders.newTender(), status));
const everyTenderWithLots = TENDER_STATUSES.map((status) => tenders.inStatus(tenders.tenderWithLots(), status));
const opened = awards.withOpenedBids([awards.bid('b1', 390)]);
const signable = awards.patchAward(opened, 0, { status: 'active' }).state;

const complaint = {
  id: padId('c1'),
  complaintID: 'UA-1.1',
  type: 'claim',
  title: 'x',
  author: AUTHOR,
  date: awards.NOW_TEXT,
} as const;

function statusOfContract({ contracts: [contract] }: Awarding): string | undefined {
  return contract && presentContract(contract).status;
}

function statusOfChange({ contracts: [contract] }: Awarding): string | undefined {
  return contract?.implementation?.changes?.[0]?.status;
}

/** What the domain decides, for each type of the table. */
const TRIALS: Readonly<Record<string, Trial>> = {
  TenderPatch: {
    statuses: TENDER_STATUSES,
    attempt: (from, status) =>
      everyTender
        .filter(({ document }) => document.status === from)
        .map((tender) => tenders.patch(tender, { status }).state.document.status),
  },
  LotPatch: {
    statuses: LOT_STATUSES,
    attempt: (from, status) =>
      everyTenderWithLots
        .map((tender) => {
          const lots = (tender.document.lots ?? []).map((lot) => ({ ...lot, status: from as typeof lot.status }));
          return { ...tender, document: { ...tender.document, lots } };
        })
        .map((tender) => tenders.change(tender, 'ChangeLot', LOT_1, { status }).state.document.lots?.[0]?.status),
  },
  AwardPatch: {
    statuses: AWARD_STATUSES,
    attempt: (from, status) => {
      const complaints = COMPLAINT_STATUSES.map((one) => ({ ...complaint, status: one }));
      const state = {
        ...opened,
        awards: opened.awards.map((award) => ({ ...award, status: from as typeof award.status, complaints })),
      };
      return [awards.patchAward(state, 0, { status }).state.awards[0]?.status];
    },
  },
  BidPatch: {
    statuses: ['draft', 'active'],
    attempt: (from, status) => {
      const bid = storedBid({ status: from });
      const decision = decideBid(
        { tender: tenderFacts(), phase: 'open', bid },
        { type: 'ChangeBid', body: { kind: 'data', data: { status } }, meta: { ...bidMeta(), owns: true } },
      );
      if ('refused' in decision) return [];
      return decision.accepted.map((event) => (event.type === 'BidChanged' ? event.document.status : undefined));
    },
  },
  CancellationPatch: {
    statuses: ['pending', 'active'],
    attempt: (from, status) =>
      [{}, { cancellationOf: 'lot', relatedLot: LOT_1 }].flatMap((of) =>
        everyTenderWithLots.map((tender) => {
          const data = { reason: 'x', status: from, ...of };
          const { state } = tenders.add(tender, 'AddCancellation', data);
          const changed = tenders.change(state, 'ChangeCancellation', padId('9'), { status });
          return changed.state.document.cancellations?.[0]?.status;
        }),
      ),
  },
  ComplaintPatch: {
    statuses: COMPLAINT_STATUSES,
    attempt: (from, status) =>
      [ACTORS.complainant, ACTORS.owner].flatMap((actor) =>
        [true, false].map((satisfied) => {
          const body = { author: AUTHOR, title: 'x', status: 'claim' };
          const filed = tenders.add(tenders.newTender(), 'FileComplaint', body, { actor: ACTORS.complainant }).state;
          const complaints = (filed.document.complaints ?? []).map((one) => ({
            ...one,
            status: from as typeof one.status,
          }));
          const state = { ...filed, document: { ...filed.document, complaints } };
          const reasons = {
            satisfied,
            resolution: LONG_RESOLUTION,
            resolutionType: 'declined',
            cancellationReason: 'x',
          };
          const data = { status, ...reasons };
          const changed = tenders.change(state, 'ChangeComplaint', padId('9'), data, { actor });
          return changed.state.document.complaints?.[0]?.status;
        }),
      ),
  },
  ContractPatch: {
    statuses: CONTRACT_STATUSES,
    attempt: (from, status) => {
      const contracts = signable.contracts.map((one) => ({ ...one, status: from as typeof one.status }));
      const later = { now: awards.hours(5 * 24) };
      return [awards.patchContract({ ...signable, contracts }, 0, { status }, later).state.contracts[0]?.status];
    },
  },
  StandaloneContractPatch: {
    statuses: CONTRACT_STATUSES,
    attempt: (from, status) =>
      [contracts.pending, contracts.signed, contracts.terminated]
        .filter((state) => statusOfContract(state) === from)
        .map((state) => statusOfContract(contracts.changeSigned(state, { status, amountPaid: { amount: 1 } }).state)),
  },
  ContractChangePatch: {
    statuses: ['pending', 'active'],
    attempt: (from, status) =>
      [contracts.withPending, contracts.withActive]
        .filter((state) => statusOfChange(state) === from)
        .map((state) =>
          statusOfChange(contracts.changeChange(state, { status, dateSigned: '2026-05-12T10:30:00+03:00' }).state),
        ),
  },
};

describe('the statuses that an owner can set', () => {
  it.each(Object.keys(SETTABLE_STATUSES))('%s offers those that the decisions accept, and no other', (name) => {
    const { statuses, attempt } = TRIALS[name] ?? { statuses: [], attempt: () => [] };
    const set = statuses.filter((to) =>
      statuses.some((from) => from !== to && attempt(from, to).some((status) => status === to)),
    );
    expect(new Set(set)).toEqual(SETTABLE_STATUSES[name]);
    expect(statuses).not.toEqual([]);
  });

  it('leave the others out of a type, and the member where there are none', () => {
    const schema = { type: 'object', properties: { id: {}, status: { enum: ['draft', 'active'] }, title: {} } };
    expect(JSON.stringify(withSettableStatuses('BidPatch', schema))).toBe(
      '{"type":"object","properties":{"id":{},"status":{"enum":["active"]},"title":{}}}',
    );
    expect(withSettableStatuses('LotPatch', schema)).toEqual({ type: 'object', properties: { id: {}, title: {} } });
    expect(withSettableStatuses('BidInput', schema)).toBe(schema);
  });
});
