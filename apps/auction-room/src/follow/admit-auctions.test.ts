import { parseInstant } from '@procurement/contracts/reading/instant';
import { describe, expect, it } from 'vitest';
import type { Phase } from '../domain/auction.ts';
import { admitAuctions, type AdmissionSettings } from './admit-auctions.ts';
import { RecordShape, TenderShape } from './tender-record.ts';

const ID = 'c'.repeat(32);
const START = '2026-11-23T11:00:00+02:00';
const SETTINGS: AdmissionSettings = {
  publicUrl: 'https://room.example.org',
  procurementTypes: ['belowThreshold'],
  playsSpecialModes: false,
  takeOver: false,
  sandbox: false,
  acceleratesStages: true,
};
const bid = (id: string, amount = 400) => ({
  id,
  date: '2026-11-20T10:00:00+02:00',
  value: { amount, currency: 'UAH' },
});

interface Case {
  readonly tender?: Readonly<Record<string, unknown>>;
  readonly record?: Readonly<Record<string, unknown>>;
  readonly phase?: Phase;
  readonly settings?: Partial<AdmissionSettings>;
  readonly now?: string;
  readonly isStopped?: boolean;
}

function admitCase(given: Case) {
  const { tender = {}, record = {}, phase, settings = {}, isStopped = false } = given;
  const { now = '2026-11-22T11:00:00+02:00' } = given;
  return admitAuctions(
    TenderShape.parse({ id: ID, tenderID: 'UA-1', status: 'active.auction', ...tender }),
    RecordShape.parse({
      auctionPeriod: { startDate: START },
      minimalStep: { amount: 5 },
      bids: [bid('a'), bid('b')],
      ...record,
    }),
    phase === undefined ? [] : [{ id: ID, phase }],
    { now: parseInstant(now), settings: { ...SETTINGS, ...settings }, isStopped },
  ).map((one) => ('left' in one ? one.left : one.command.type));
}

describe('admitAuctions', () => {
  it.each<[string, Case, readonly string[]]>([
    ['plans an auction', {}, ['Plan']],
    ['plans one again', { phase: 'planned' }, ['Plan']],
    ['leaves a new one while it is stopped', { isStopped: true }, ['new auctions are not taken in']],
    ['goes on with its own while it is stopped', { isStopped: true, phase: 'planned' }, ['Plan']],
    ['plans a missed one again while it is stopped', { isStopped: true, phase: 'missed' }, ['Plan']],
    [
      'cancels its own while it is stopped',
      { isStopped: true, phase: 'planned', tender: { status: 'cancelled' } },
      ['Cancel'],
    ],
    [
      'keeps one whose address is its own',
      { record: { auctionUrl: `https://room.example.org/tenders/${ID}` } },
      ['Plan'],
    ],
    [
      'leaves one to the component that published first',
      { record: { auctionUrl: 'https://other/1' } },
      ['held by https://other/1'],
    ],
    [
      'takes it over with the setting for it',
      { record: { auctionUrl: 'https://other/1' }, settings: { takeOver: true } },
      ['Plan'],
    ],
    ['leaves another procedure', { tender: { procurementMethodType: 'esco' } }, ['type esco']],
    ['leaves life-cycle costs', { tender: { awardCriteria: 'lifeCycleCost' } }, ['life-cycle cost']],
    ['leaves a single bid', { record: { bids: [bid('a')] } }, ['fewer than two bids']],
    [
      'leaves several currencies',
      { record: { bids: [bid('a'), { ...bid('b'), value: { amount: 1, currency: 'EUR' } }] } },
      ['bids in several currencies'],
    ],
    [
      'does not count a bid that is not active',
      { record: { bids: [bid('a'), { ...bid('b'), status: 'invalid' }] } },
      ['fewer than two bids'],
    ],
    ['leaves a special mode', { tender: { submissionMethodDetails: 'quick(mode:no-auction)' } }, ['mode no-auction']],
    [
      'holds it with the setting for it',
      { tender: { submissionMethodDetails: 'quick(mode:no-auction)' }, settings: { playsSpecialModes: true } },
      ['Plan'],
    ],
    [
      'holds quick(mode:fast-auction) as any other',
      { tender: { submissionMethodDetails: 'quick(mode:fast-auction)' } },
      ['Plan'],
    ],
    ['plans a start of 120 s ago (F10)', { now: '2026-11-23T11:02:00+02:00' }, ['Plan']],
    ['leaves a start of the past', { now: '2026-11-23T11:02:00.000001+02:00' }, ['its start is past']],
    ['cancels with the tender', { tender: { status: 'cancelled' }, phase: 'running' }, ['Cancel']],
    ['cancels what others reported', { tender: { status: 'active.qualification' }, phase: 'running' }, ['Cancel']],
    ['keeps what is finished', { tender: { status: 'active.qualification' }, phase: 'finished' }, []],
    [
      'cancels when an end is there',
      { record: { auctionPeriod: { startDate: START, endDate: START } }, phase: 'running' },
      ['Cancel'],
    ],
    ['waits for another start', { record: { auctionPeriod: {} }, phase: 'planned' }, ['Void']],
    ['ignores that while it runs', { record: { auctionPeriod: {} }, phase: 'running' }, []],
  ])('%s', (_title, given, expected) => {
    expect(admitCase(given)).toEqual(expected);
  });

  it('holds one auction for each active lot', () => {
    const lot = (id: string, status = 'active') => ({
      id,
      status,
      minimalStep: { amount: 1 },
      auctionPeriod: { startDate: START },
    });
    const lotValues = ['l1', 'l2'].map((relatedLot) => ({ relatedLot, value: { amount: 10 }, date: START }));
    const decisions = admitAuctions(
      TenderShape.parse({ id: ID, tenderID: 'UA-1', status: 'active.auction' }),
      RecordShape.parse({
        lots: [lot('l1'), lot('l2', 'cancelled')],
        bids: ['a', 'b'].map((id) => ({ id, lotValues })),
      }),
      [{ id: `${ID}_l2`, phase: 'running' }],
      { now: parseInstant('2026-11-22T11:00:00+02:00'), settings: SETTINGS, isStopped: false },
    );
    expect(decisions).toMatchObject([
      {
        auctionId: `${ID}_l1`,
        command: { type: 'Plan', plan: { lotId: 'l1', lots: ['l1', 'l2'], bids: [{ amount: 10 }, {}] } },
      },
      { auctionId: `${ID}_l2`, command: { type: 'Cancel', reason: 'lot cancelled' } },
    ]);
  });
});
