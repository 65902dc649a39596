import type { Actor } from '@procurement/contracts/api/actor';
import { parseInstant } from '@procurement/contracts/reading/instant';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { ACTORS } from '@procurement/testing/actors';
import type { BidMeta, BidState } from '../src/domain/bid.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const LOTS = ['a', 'b'].map((letter) => letter.repeat(32));
export const PHASES = ['open', 'sealed', 'opened', 'erased'] as const;

export const bidder: Actor = { broker: 'broker2', group: 'brokers', levels: '12', segment: '2.5' };

/** Callers by their relation to a bid; only the first owns it. */
export const CALLERS = {
  'its owner': { actor: bidder, owns: true },
  'another broker': { actor: { ...bidder, broker: 'broker3' }, owns: false },
  'the tender owner': { actor: { ...bidder, broker: 'broker1' }, owns: false },
  Administrator: { actor: ACTORS.Administrator, owns: false },
  admins: { actor: ACTORS.admins, owns: false },
  auction: { actor: ACTORS.auction, owns: false },
  chronograph: { actor: ACTORS.chronograph, owns: false },
  anonymous: { actor: ACTORS.anonymous, owns: false },
} as const satisfies Record<string, { readonly actor: Actor; readonly owns: boolean }>;

/** A tender that accepts bids on 2026-05-11. */
export function tenderFacts(overrides: Partial<TenderFacts> = {}): TenderFacts {
  return {
    id: 'f'.repeat(32),
    version: 1,
    awardsVersion: 0,
    documentsVersion: 0,
    tenderID: 'UA-2026-05-04-000001',
    status: 'active.tendering',
    owner: 'broker1',
    ownerTokenHash: 'c'.repeat(64),
    value: { amount: 500, currency: 'UAH', valueAddedTaxIncluded: true },
    tenderPeriod: { startDate: '2026-05-10T00:00:00+03:00', endDate: '2026-05-20T18:00:00+03:00' },
    ...overrides,
  };
}

/** The same tender with two lots of 10 each. */
export function tenderFactsWithLots(overrides: Partial<TenderFacts> = {}): TenderFacts {
  const value = { amount: 10, currency: 'UAH', valueAddedTaxIncluded: true };
  return tenderFacts({ lots: LOTS.map((id) => ({ id, status: 'active', value })), ...overrides });
}

export function organizationBody(overrides: JsonObject = {}): JsonObject {
  return {
    name: 'ДУС',
    identifier: { scheme: 'UA-EDR', id: '00037256' },
    address: { countryName: 'Україна' },
    contactPoint: { name: 'ДУС', telephone: '0440000000' },
    ...overrides,
  };
}

/** A valid body of a bid for `tenderFacts()`. */
export function bidBody(overrides: JsonObject = {}): JsonObject {
  return { tenderers: [organizationBody()], value: { amount: 489 }, ...overrides };
}

/** A body of a bid for `tenderFactsWithLots()`. */
export function bidBodyWithLots(...lotValues: readonly JsonObject[]): JsonObject {
  return { tenderers: [organizationBody()], lotValues };
}

export const REGISTERED_AT = '2026-05-11T00:00:00.000000+03:00';

/** A stored bid of `bidder`. */
export function storedBid(document: JsonObject = {}): BidState {
  const { status = 'active' } = document as { readonly status?: BidState['status'] };
  return {
    id: '1'.repeat(32),
    tenderId: 'f'.repeat(32),
    version: 1,
    owner: 'broker2',
    ownerTokenHash: 'd'.repeat(64),
    transferHash: 'e'.repeat(64),
    status,
    // Tests override members; those of every bid are always present.
    document: {
      id: '1'.repeat(32),
      date: REGISTERED_AT,
      status: 'active',
      tenderers: [organizationBody()],
      ...(document['lotValues'] === undefined
        ? { value: { amount: 489, currency: 'UAH', valueAddedTaxIncluded: true } }
        : {}),
      ...document,
    } as unknown as BidState['document'],
  };
}

/** Circumstances of a command; by default on the day after the period began, with strict guards. */
export function bidMeta({ now = '2026-05-12', actor = bidder, open = false } = {}): BidMeta {
  return { now: parseInstant(now), actor, settings: { legacyGuardsOpen: open } };
}
