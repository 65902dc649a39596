import { addMicros, parseInstant, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { relevantFeatures } from '@procurement/domain/ranking';
import type { AuctionPlan, OpeningBid, Phase, RecordedBid } from '../domain/auction.ts';
import type { Command } from '../domain/commands.ts';
import { noLengths, stageLengths } from '../domain/timetable.ts';
import type { RecordBid, RecordLot, RecordShape, TenderShape } from './tender-record.ts';

/** What the room does about one auction of a tender. */
export type Admission =
  | { readonly auctionId: string; readonly command: Command }
  /** Not held here, with the reason for operators. */
  | { readonly auctionId: string; readonly left: string };

export interface AdmissionSettings {
  /** Address of this room: the first component that published one holds the auction (auction-room.md 7.2). */
  readonly publicUrl: string;
  readonly procurementTypes: readonly string[];
  /** Whether the room holds the auctions of the special modes. */
  readonly playsSpecialModes: boolean;
  readonly takeOver: boolean;
  readonly sandbox: boolean;
  readonly acceleratesStages: boolean;
}

/** An auction that the room has of this tender. */
export interface KnownAuction {
  readonly id: string;
  readonly phase: Phase;
}

/** Kept beside a tender that is left for it, and found there when the operator resumes. */
export const STOPPED = 'new auctions are not taken in';

const BIDS_MAX = 500;
/** An auction that should have begun longer ago is planned anew by the service. */
const LATE_MAX = 120 * SECOND;

type SpecialMode = 'no-auction' | 'fast-forward';

/** `record` is absent when the tender is in no auction. `now` is the time of the tender. `isStopped`: an operator wants no new auctions. */
export function admitAuctions(
  tender: TenderShape,
  record: RecordShape | undefined,
  known: readonly KnownAuction[],
  {
    now,
    settings,
    isStopped,
  }: { readonly now: Instant; readonly settings: AdmissionSettings; readonly isStopped: boolean },
): readonly Admission[] {
  const live = known.filter(({ phase }) => phase === 'planned' || phase === 'running' || phase === 'finished');
  if (ENDED.has(tender.status)) return live.map(({ id }) => cancel(id, tender.status));
  if (tender.status !== 'active.auction' || record === undefined) {
    // Another component reported, or a person: ours has nothing to hold any more.
    return live.filter(({ phase }) => phase !== 'finished').map(({ id }) => cancel(id, 'superseded'));
  }
  const lots = record.lots ?? [];
  const holders = lots.length === 0 ? [undefined] : lots;
  return holders.flatMap((lot) => {
    const auctionId = lot === undefined ? tender.id : `${tender.id}_${lot.id}`;
    const phase = live.find(({ id }) => id === auctionId)?.phase;
    const isLive = phase === 'planned' || phase === 'running';
    const isRefused = isStopped && !known.some(({ id }) => id === auctionId);
    return admitAuction({ tender, record, lot, auctionId, phase, isLive, isRefused, now, settings });
  });
}

const ENDED: ReadonlySet<string> = new Set(['cancelled', 'unsuccessful']);

interface Candidate {
  readonly tender: TenderShape;
  readonly record: RecordShape;
  readonly lot: RecordLot | undefined;
  readonly auctionId: string;
  readonly phase: Phase | undefined;
  /** Planned or running here. */
  readonly isLive: boolean;
  /** New, while no new ones are taken in. */
  readonly isRefused: boolean;
  readonly now: Instant;
  readonly settings: AdmissionSettings;
}

function admitAuction(candidate: Candidate): readonly Admission[] {
  const { lot, record, auctionId, phase, isLive } = candidate;
  if (lot !== undefined && lot.status !== undefined && lot.status !== 'active') {
    return isLive ? [cancel(auctionId, `lot ${lot.status}`)] : [];
  }
  const { startDate, endDate } = (lot ?? record).auctionPeriod ?? {};
  if (endDate !== undefined) return isLive ? [cancel(auctionId, 'superseded')] : [];
  // It waits for another start, like an auction that was missed.
  if (startDate === undefined) return phase === 'planned' ? [{ auctionId, command: { type: 'Void' } }] : [];
  const bids = takingPart(record.bids, lot?.id);
  const reason = reasonToLeave(candidate, bids, parseInstant(startDate));
  if (reason !== undefined) return [{ auctionId, left: reason }];
  return [{ auctionId, command: { type: 'Plan', plan: buildPlan(candidate, bids, parseInstant(startDate)) } }];
}

function cancel(auctionId: string, reason: string): Admission {
  return { auctionId, command: { type: 'Cancel', reason } };
}

function reasonToLeave(candidate: Candidate, bids: readonly TakingPart[], startAt: Instant): string | undefined {
  const { tender, record, lot, now, settings, isLive, isRefused } = candidate;
  const address = (lot ?? record).auctionUrl;
  const mode = specialModeOf(tender);
  const currencies = new Set(bids.map(({ currency }) => currency));
  const reasons: readonly (readonly [boolean, string])[] = [
    [!settings.procurementTypes.includes(tender.procurementMethodType), `type ${tender.procurementMethodType}`],
    [tender.awardCriteria === 'lifeCycleCost' || bids.some(({ isWeighted }) => isWeighted), 'life-cycle cost'],
    [bids.length < 2, 'fewer than two bids'],
    [bids.length > BIDS_MAX, `more than ${BIDS_MAX} bids`],
    [currencies.size > 1, 'bids in several currencies'],
    [!isOurs(address, settings), `held by ${address}`],
    [mode !== undefined && !settings.playsSpecialModes, `mode ${mode}`],
    [!isLive && mode === undefined && startAt + LATE_MAX < now && !settings.sandbox, 'its start is past'],
    [isRefused, STOPPED],
  ];
  return reasons.find(([applies]) => applies)?.[1];
}

function isOurs(address: string | undefined, { publicUrl, takeOver }: AdmissionSettings): boolean {
  return address === undefined || takeOver || address.startsWith(`${publicUrl}/`);
}

/** The mode is at the end of the text (tenders.md 7.4). */
function specialModeOf({ submissionMethodDetails = '' }: TenderShape): SpecialMode | undefined {
  const details = submissionMethodDetails.trimEnd();
  if (details.endsWith('quick(mode:no-auction)')) return 'no-auction';
  return details.endsWith('quick(mode:fast-forward)') ? 'fast-forward' : undefined;
}

interface TakingPart extends OpeningBid {
  readonly currency: string | undefined;
  readonly isWeighted: boolean;
}

/** Bids that take part, in the order of the tender; of a lot with the amount and date for that lot. */
function takingPart(bids: readonly RecordBid[], lotId: string | undefined): readonly TakingPart[] {
  return bids.flatMap((bid): TakingPart[] => {
    const offered = lotId === undefined ? bid : bid.lotValues?.find(({ relatedLot }) => relatedLot === lotId);
    const amount = offered?.value?.amount;
    const date = offered?.date ?? bid.date;
    if (bid.id === undefined || date === undefined || amount === undefined || !isActive(bid) || !isActive(offered))
      return [];
    const { id, parameters = [] } = bid;
    const isWeighted = offered?.weightedValue !== undefined;
    return [{ id, amount, date, parameters, currency: offered?.value?.currency, isWeighted }];
  });
}

function isActive(one: { readonly status?: string | undefined } | undefined): boolean {
  return one?.status === undefined || one.status === 'active';
}

function buildPlan(candidate: Candidate, bids: readonly TakingPart[], plannedAt: Instant): AuctionPlan {
  const { tender, record, lot, auctionId, now, settings } = candidate;
  const mode = specialModeOf(tender);
  const features = relevantFeatures(record.features ?? [], tender.items ?? [], lot?.id);
  const codes = new Set(features.map(({ code }) => code));
  const step = (lot ?? record).minimalStep;
  return {
    id: auctionId,
    tenderId: tender.id,
    ...(lot === undefined ? {} : { lotId: lot.id, lots: (record.lots ?? []).map(({ id }) => id) }),
    tender: {
      tenderID: tender.tenderID,
      test: tender.mode === 'test',
      features,
      minimalStep: step?.amount ?? 0,
      shown: selectShownMembers(tender, lot),
    },
    bids: bids.map(({ id, amount, date, parameters }) => ({
      id,
      amount,
      date,
      parameters: parameters.filter(({ code }) => codes.has(code)),
    })),
    record: record.bids.map(recordedBid),
    // Nobody waits for an auction that is not held.
    startAt: mode === 'no-auction' ? earlier(now, plannedAt) : plannedAt,
    lengths: mode === undefined ? stageLengths(acceleratorOf(tender, settings)) : noLengths(),
    ...(mode === 'no-auction' ? { withoutAddresses: true } : {}),
  };
}

function earlier(a: Instant, b: Instant): Instant {
  return a < b ? addMicros(a, 0) : b;
}

function recordedBid({ id = '', lotValues }: RecordBid): RecordedBid {
  return lotValues === undefined ? { id } : { id, lots: lotValues.map(({ relatedLot }) => relatedLot) };
}

const ACCELERATOR = /.accelerator=(\d{1,9})/;

function acceleratorOf({ procurementMethodDetails = '' }: TenderShape, settings: AdmissionSettings): number {
  if (!settings.sandbox || !settings.acceleratesStages) return 1;
  return Math.max(Number(ACCELERATOR.exec(procurementMethodDetails)?.[1] ?? 1), 1);
}

const SHOWN = /^(?:title|description|procuringEntity|items|value|minimalStep|procurementMethodType)(?:_en|_ru)?$/;
const SHOWN_OF_LOT = ['value', 'minimalStep'];

/** What the page shows. Value and step of a lot stand in for those of the tender. */
function selectShownMembers(tender: TenderShape, lot: RecordLot | undefined): JsonObject {
  const shown = Object.fromEntries(Object.entries(tender).filter(([name]) => SHOWN.test(name)));
  if (lot === undefined) return shown;
  const { id, title, title_en, description, description_en } = lot;
  const ofLot = Object.fromEntries(Object.entries(lot).filter(([name]) => SHOWN_OF_LOT.includes(name)));
  return { ...shown, ...ofLot, lot: defined({ id, title, title_en, description, description_en }) };
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
