import { TENDER_BYTES } from '@procurement/contracts/limits';
import type { Actor } from '@procurement/contracts/api/actor';
import { addMicros, parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { AwardRecord, ContractRecord } from '@procurement/contracts/resources/award-facts';
import type { StoredTender } from '@procurement/contracts/resources/tender';
import { ACTORS, COMPLAINANT_HASH, OWNER_HASH } from '@procurement/testing/actors';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { decideTender } from '../src/domain/tender.decide.ts';
import { foldTender } from '../src/domain/tender.evolve.ts';
import type {
  AddSubresource,
  ChangeSubresource,
  TenderCommand,
  TenderEvent,
  ExternalInput,
  TenderMeta,
  TenderSettings,
  TenderState,
} from '../src/domain/tender.ts';
import { validTender } from './valid-tender.ts';

export type Data = Readonly<Record<string, unknown>>;

export const SETTINGS: TenderSettings = {
  sandbox: true,
  strictTestMode: false,
  complaintsMode: 'full',
  tenderBytesMax: TENDER_BYTES.default,
  legacyGuardsOpen: false,
  serverId: '',
};

export const NOW = parseInstant('2026-05-04T10:15:00.120034+03:00');

/** The instant `count` hours after the tender was created. */
export function hours(count: number): Instant {
  return addMicros(NOW, count * 3_600_000_000);
}

export interface CommandOptions {
  readonly actor?: Actor;
  readonly now?: Instant;
  readonly settings?: Partial<TenderSettings>;
  /** The last digits of the id of a new object. */
  readonly id?: string;
}

/** The result of a command. */
export interface CommandResult {
  /** The state after the command; the state before it if it was refused. */
  readonly state: TenderState;
  readonly events: readonly TenderEvent[];
  readonly refused: Problem | undefined;
}

function buildMeta({ actor = ACTORS.owner, now = NOW, settings = {} }: CommandOptions): TenderMeta {
  let idCount = 0;
  return {
    now,
    actor,
    settings: { ...SETTINGS, ...settings },
    nextId: () => padId(`e${(idCount += 1)}`),
  };
}

/** Decides a command and applies its events. */
export function runCommand(state: TenderState, command: TenderCommand): CommandResult {
  const decision = decideTender(state, command);
  if ('refused' in decision) return { state, events: [], refused: decision.refused };
  const events = decision.accepted;
  return { state: events.length === 0 ? state : foldTender(state, events), events, refused: undefined };
}

/** Decides the creation of a tender. `beside`: members of the body beside `data`. */
export function create(overrides: Data = {}, beside: Data = {}, options: CommandOptions = {}) {
  const meta = { ...buildMeta(options), id: padId('f'), ownerTokenHash: OWNER_HASH, transferHash: 'b'.repeat(64) };
  const body = { kind: 'data', data: validTender(overrides), beside } as const;
  return decideTender(undefined, { type: 'CreateTender', body, meta });
}

/** A new tender of `ACTORS.owner`. */
export function newTender(overrides: Data = {}, beside: Data = {}): TenderState {
  const decision = create(overrides, beside);
  if ('refused' in decision) throw new Error(JSON.stringify(decision.refused));
  const state = foldTender(undefined, decision.accepted);
  return { ...state, document: { ...state.document, tenderID: 'UA-2026-05-04-000001' } };
}

/** A new tender with two lots, each with one item. */
export function tenderWithLots(overrides: Data = {}): TenderState {
  const lot = { title: 'x', value: { amount: 500 }, minimalStep: { amount: 35 } };
  const item = { description: 'x', classification: { id: '44810000-1', description: 'Фарби' } };
  return newTender({
    lots: [
      { ...lot, id: LOT_1 },
      { ...lot, id: LOT_2 },
    ],
    items: [
      { ...item, id: 'first', relatedLot: LOT_1 },
      { ...item, id: 'second', relatedLot: LOT_2 },
    ],
    ...overrides,
  });
}

export function add(
  state: TenderState,
  type: AddSubresource['type'],
  data: Data,
  options: CommandOptions = {},
): CommandResult {
  const ids = { id: padId(options.id ?? '9'), tokenHash: COMPLAINANT_HASH, transferHash: 'd'.repeat(64) };
  return runCommand(state, { type, body: { kind: 'data', data }, meta: { ...buildMeta(options), ...ids } });
}

export function change(
  state: TenderState,
  type: ChangeSubresource['type'],
  id: string,
  data: Data,
  options: CommandOptions = {},
): CommandResult {
  return runCommand(state, { type, id, body: { kind: 'data', data }, meta: buildMeta(options) });
}

export function patch(state: TenderState, data: Data, options: CommandOptions = {}): CommandResult {
  return runCommand(state, { type: 'PatchTender', body: { kind: 'data', data }, meta: buildMeta(options) });
}

export function applyInput(
  state: TenderState,
  input: ExternalInput,
  now: Instant,
  settings: Partial<TenderSettings> = {},
): CommandResult {
  return runCommand(state, {
    type: 'ApplyExternalInput',
    input,
    meta: { now, settings: { ...SETTINGS, ...settings } },
  });
}

export function tick(state: TenderState, now: Instant, settings: Partial<TenderSettings> = {}): CommandResult {
  return applyInput(state, { type: 'Tick' }, now, settings);
}

/** The tender with its status replaced, for rules that depend on the status only. */
export function inStatus(state: TenderState, status: StoredTender['status']): TenderState {
  return { ...state, document: { ...state.document, status } };
}

/** Sealed bids, one for each list of lots. A bid of a tender without lots has an empty list. */
export function bids(...lotsOf: readonly (readonly string[])[]): { readonly id: string; readonly lots: string[] }[] {
  return lotsOf.map((lots, n) => ({ id: padId(`b${n}`), lots: [...lots] }));
}

/** Ends tendering with these bids. */
export function withSealedBids(state: TenderState, ...lotsOf: readonly (readonly string[])[]): CommandResult {
  const tendering = tick(state, TENDERING_BEGINS).state;
  const closing = tick(tendering, TENDERING_ENDS).state;
  return applyInput(closing, { type: 'SealBids', bids: bids(...lotsOf) }, TENDERING_ENDS);
}

export const TENDERING_BEGINS = parseInstant('2026-05-10T00:00:00+03:00');
export const TENDERING_ENDS = parseInstant('2026-05-20T18:00:00+03:00');

/** An auction that ends at this time, and the bids opened after it. */
export const AUCTION_ENDED_AT = '2026-05-21T11:35:35.000815+03:00';

export function endAuctionInput(lot?: string) {
  return { type: 'EndAuction', held: { at: AUCTION_ENDED_AT, ...(lot === undefined ? {} : { lot }) } } as const;
}

export const OPEN_TWO_BIDS = { type: 'OpenBids', bids: [{ id: padId('b0') }, { id: padId('b1') }] } as const;

/** The input of an event with these awards and contracts, as the next version. */
export function awardsInput(
  state: TenderState,
  awards: readonly AwardRecord[],
  contracts: readonly ContractRecord[] = [],
): ExternalInput {
  const version = (state.awards?.version ?? 0) + 1;
  return { type: 'ReplaceAwards', facts: { id: state.id, version, awards: [...awards], contracts: [...contracts] } };
}

export function award(id: string, status: AwardRecord['status'], more: Partial<AwardRecord> = {}): AwardRecord {
  return { id: padId(id), status, date: '2026-05-20T18:00:00+03:00', bid_id: padId('b0'), ...more };
}

/** A tender in qualification: its only bid opened, its award pending. */
export function inQualification(overrides: Data = {}): TenderState {
  const opening = withSealedBids(newTender(overrides), []).state;
  const opened = applyInput(opening, { type: 'OpenBids', bids: [{ id: padId('b0') }] }, TENDERING_ENDS).state;
  return applyInput(opened, awardsInput(opened, [award('a1', 'pending')]), TENDERING_ENDS).state;
}

/** The tender after the cancellation of one lot. */
export function withCancelledLot(state: TenderState, relatedLot: string): TenderState {
  const data = { reason: 'x', status: 'active', cancellationOf: 'lot', relatedLot };
  const result = add(state, 'AddCancellation', data, { id: `ca${relatedLot[0]}` });
  if (result.refused !== undefined) throw new Error(JSON.stringify(result.refused));
  return result.state;
}
