import type { Actor } from '@procurement/contracts/api/actor';
import { addMicros, parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import type { Problem } from '@procurement/contracts/problems/problems';
import type { StoredAward } from '@procurement/contracts/resources/award';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { NO_HOLIDAYS } from '@procurement/domain/calendar';
import { ACTORS, BIDDER_HASH, COMPLAINANT_HASH, OWNER_HASH } from '@procurement/testing/actors';
import { padId, LOT_1, LOT_2 } from '@procurement/testing/ids';
import { decideAwarding } from '../src/domain/awarding.decide.ts';
import { foldAwarding, emptyAwarding } from '../src/domain/awarding.evolve.ts';
import type {
  Awarding,
  AwardingCommand,
  AwardingEvent,
  AwardMeta,
  AwardSettings,
  OpenedBid,
  TenderItem,
} from '../src/domain/awarding.ts';

export type Data = Readonly<Record<string, unknown>>;

export const SETTINGS: AwardSettings = {
  sandbox: false,
  complaintsMode: 'full',
  legacyGuardsOpen: false,
  serverId: '',
  calendar: NO_HOLIDAYS,
};

/** A Friday, in the weeks of bids-awards-auction.md 6.1. */
export const NOW = parseInstant('2017-02-17T12:00:00+02:00');
export const NOW_TEXT = '2017-02-17T12:00:00.000000+02:00';
/** Two working days later. */
export const STAND_STILL_END = '2017-02-21T12:00:00.000000+02:00';

/** The instant `count` hours after NOW. */
export function hours(count: number): Instant {
  return addMicros(NOW, count * 3_600_000_000);
}

export const CONTRACT_HASH = 'd'.repeat(64);

export function tenderFacts(overrides: Partial<TenderFacts> = {}): TenderFacts {
  return {
    id: padId('f'),
    version: 1,
    awardsVersion: 0,
    documentsVersion: 0,
    tenderID: 'UA-2017-02-06-000001',
    status: 'active.qualification',
    owner: 'buyer',
    ownerTokenHash: OWNER_HASH,
    items: [{ id: 'first' }],
    ...overrides,
  };
}

export function lots(...statuses: readonly string[]): NonNullable<TenderFacts['lots']> {
  return [LOT_1, LOT_2].map((id, n) => ({ id, status: statuses[n] ?? 'active' }));
}

/** `tenderFacts` with two lots, one item in each. */
export function tenderFactsWithLots(overrides: Partial<TenderFacts> = {}): TenderFacts {
  const items = [
    { id: 'first', relatedLot: LOT_1 },
    { id: 'second', relatedLot: LOT_2 },
  ];
  return tenderFacts({ lots: lots(), items, ...overrides });
}

export const ITEMS: readonly TenderItem[] = [{ id: 'first', description: 'Фарби', quantity: 5 }];
export const PROCURING_ENTITY: Data = {
  name: 'Міська рада',
  kind: 'general',
  identifier: { scheme: 'UA-EDR', id: '00037256' },
  address: { countryName: 'Україна' },
  contactPoint: { name: 'Олена', telephone: '0440000000' },
};
export const ITEMS_OF_LOTS: readonly TenderItem[] = [
  { id: 'first', description: 'Фарби', relatedLot: LOT_1 },
  { id: 'second', description: 'Пензлі', relatedLot: LOT_2 },
];

/** A party with this number in the register. */
export function party(id: string): Data & OpenedParty {
  return {
    name: `ТОВ ${id}`,
    identifier: { scheme: 'UA-EDR', id },
    address: { countryName: 'Україна' },
    contactPoint: { name: 'Іван', telephone: '0440000000' },
  };
}
type OpenedParty = NonNullable<OpenedBid['tenderers']>[number];

export function money(amount: number) {
  return { amount, currency: 'UAH', valueAddedTaxIncluded: true };
}

const BID_DATE = '2017-02-16T11:30:00+02:00';

export function bid(tail: string, amount: number, more: Partial<OpenedBid> = {}): OpenedBid {
  return { id: padId(tail), date: BID_DATE, tenderers: [party(tail)], value: money(amount), ...more };
}

/** A bid with one amount for each lot; undefined: no bid for that lot. */
export function bidForLots(tail: string, ...amounts: readonly (number | undefined)[]): OpenedBid {
  const lotValues = [LOT_1, LOT_2].flatMap((relatedLot, n) => {
    const amount = amounts[n];
    return amount === undefined ? [] : [{ relatedLot, value: money(amount), date: BID_DATE }];
  });
  return { id: padId(tail), date: BID_DATE, tenderers: [party(tail)], lotValues };
}

export interface CommandOptions {
  readonly actor?: Actor;
  readonly now?: Instant;
  readonly settings?: Partial<AwardSettings>;
  readonly items?: readonly TenderItem[] | undefined;
  /** Last digits of the id of the new object. */
  readonly id?: string;
}

export interface CommandResult {
  /** The state after the command; unchanged when it was refused. */
  readonly state: Awarding;
  readonly events: readonly AwardingEvent[];
  readonly refused: Problem | undefined;
}

export function buildMeta(state: Awarding, options: CommandOptions): AwardMeta {
  const { actor = ACTORS.owner, now = NOW, settings = {} } = options;
  const items = 'items' in options ? options.items : state.tender.lots === undefined ? ITEMS : ITEMS_OF_LOTS;
  // Starts after the ids of earlier commands, so that ids stay unique over several commands.
  let idCount = 16 * state.version;
  return {
    now,
    actor,
    settings: { ...SETTINGS, ...settings },
    items,
    nextId: () => padId(`e${(idCount += 1).toString(16)}`),
  };
}

/** Decides the command and folds its events. */
export function runCommand(state: Awarding, command: AwardingCommand): CommandResult {
  const decision = decideAwarding(state, command);
  if ('refused' in decision) return { state, events: [], refused: decision.refused };
  const events = decision.accepted;
  return { state: { ...foldAwarding(state, events), tender: state.tender }, events, refused: undefined };
}

export function newAwarding(tender: TenderFacts = tenderFacts()): Awarding {
  return { ...emptyAwarding(tender.id), tender };
}

export function withTender(state: Awarding, overrides: Partial<TenderFacts>): Awarding {
  return { ...state, tender: { ...state.tender, ...overrides } };
}

/** An awarding after `OpenBids`. */
export function withOpenedBids(bids: readonly OpenedBid[], tender: TenderFacts = tenderFacts()): Awarding {
  return openBids(newAwarding(tender), bids).state;
}

export function openBids(state: Awarding, bids: readonly OpenedBid[], options: CommandOptions = {}): CommandResult {
  return runCommand(state, {
    type: 'ApplyExternalInput',
    input: { type: 'OpenBids', bids },
    meta: buildMeta(state, options),
  });
}

export function tick(state: Awarding, now: Instant, options: CommandOptions = {}): CommandResult {
  return runCommand(state, {
    type: 'ApplyExternalInput',
    input: { type: 'Tick' },
    meta: buildMeta(state, { now, ...options }),
  });
}

/** The award at an index; negative counts from the end. */
export function awardAt(state: Awarding, at: number): StoredAward {
  const award = state.awards.at(at);
  if (award === undefined) throw new Error(`no award ${at}`);
  return award;
}

export function patchAward(state: Awarding, at: number, data: Data, options: CommandOptions = {}): CommandResult {
  const { id } = awardAt(state, at);
  return runCommand(state, { type: 'ChangeAward', id, body: { kind: 'data', data }, meta: buildMeta(state, options) });
}

export function postAward(state: Awarding, data: Data, options: CommandOptions = {}): CommandResult {
  const meta = { ...buildMeta(state, options), id: padId(options.id ?? '9') };
  return runCommand(state, { type: 'PostAward', body: { kind: 'data', data }, meta });
}

export const AUTHOR = party('30');

export function fileComplaint(
  state: Awarding,
  at: number,
  data: Data = {},
  options: CommandOptions = {},
): CommandResult {
  const meta = {
    ...buildMeta(state, { actor: ACTORS.bidder, ...options }),
    id: padId(options.id ?? '9'),
    tokenHash: COMPLAINANT_HASH,
    transferHash: 'e'.repeat(64),
    bidders: [{ owner: 'seller', tokenHash: BIDDER_HASH }],
  };
  const body = { kind: 'data', data: { author: AUTHOR, title: 'Вимога', status: 'claim', ...data } } as const;
  return runCommand(state, { type: 'FileComplaint', awardId: awardAt(state, at).id, body, meta });
}

export function patchComplaint(state: Awarding, at: number, data: Data, options: CommandOptions = {}): CommandResult {
  const award = awardAt(state, at);
  const id = award.complaints?.at(-1)?.id ?? padId('none');
  const body = { kind: 'data', data } as const;
  return runCommand(state, { type: 'ChangeComplaint', awardId: award.id, id, body, meta: buildMeta(state, options) });
}

export function patchContract(state: Awarding, at: number, data: Data, options: CommandOptions = {}): CommandResult {
  const id = state.contracts.at(at)?.id ?? padId('none');
  return runCommand(state, {
    type: 'ChangeContract',
    id,
    body: { kind: 'data', data },
    meta: buildMeta(state, options),
  });
}

/** The statuses of the awards, in order. */
export function statuses(state: Awarding): readonly string[] {
  return state.awards.map((award) => award.status);
}
