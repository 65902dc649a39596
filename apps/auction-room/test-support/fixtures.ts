import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseInstant, type Instant } from '@procurement/contracts/reading/instant';
import { relevantFeatures, type RankedFeature, type RankedParameter } from '@procurement/domain/ranking';
import type { AuctionPlan } from '../src/domain/auction.ts';
import { noLengths, stageLengths } from '../src/domain/timetable.ts';

const FOLDER = join(import.meta.dirname, 'fixtures');

/** One step of the timeline of a fixture, and what comes of it. */
export interface FixtureStep {
  readonly at: string;
  readonly do: 'offer' | 'outage' | 'cancel' | 'tick';
  readonly bidder?: string;
  /** -1 withdraws. */
  readonly amount?: number;
  readonly offerId?: string;
  readonly secret?: 'wrong';
  readonly until?: string;
  readonly shiftSeconds?: number;
  readonly answer?: {
    readonly accepted?: number;
    readonly stands?: number | null;
    readonly repeat?: boolean;
    readonly refused?: string;
    readonly status?: number;
  };
}

interface FixtureTurn {
  readonly stage: number;
  readonly bidder: string;
  readonly limit: string;
  readonly closed: string;
  readonly changed: boolean;
  readonly amount: number;
  readonly time: string;
  readonly amount_features?: string;
  readonly coeficient?: string;
}

/** A worked auction (auction-room.md 19). */
export interface Fixture {
  readonly name: string;
  readonly auction: {
    readonly id: string;
    readonly tender_id: string;
    readonly tenderID: string;
    readonly lot_id: string | null;
    readonly start: string;
    readonly auction_type: string;
    readonly minimalStep: { readonly amount: number };
    readonly accelerator?: number;
    readonly zeroLength?: boolean;
    readonly features: readonly RankedFeature[];
    readonly allFeatures?: readonly RankedFeature[];
    readonly items?: readonly { readonly id: string; readonly relatedLot?: string }[];
    readonly allBids?: readonly { readonly id: string; readonly lots: readonly string[] }[];
    readonly bids: readonly {
      readonly id: string;
      readonly date: string;
      readonly amount: number;
      readonly parameters?: readonly RankedParameter[];
    }[];
  };
  readonly timeline: readonly FixtureStep[];
  readonly expect: {
    readonly phase: string;
    readonly current_stage: number;
    readonly table: readonly { readonly stage: number; readonly type: string; readonly start: string }[];
    readonly labels?: Readonly<Record<string, number>>;
    readonly orders?: Readonly<Record<string, readonly string[]>>;
    readonly coeficient?: Readonly<Record<string, string>>;
    readonly turns?: readonly FixtureTurn[];
    readonly results?: readonly {
      readonly bidder: string;
      readonly amount: number;
      readonly time: string;
      readonly amount_features?: string;
      readonly coeficient?: string;
    }[];
    readonly winner?: string;
    readonly report?: unknown;
    readonly reported?: false;
    readonly audit?: unknown;
    readonly shifts?: readonly { readonly from: string; readonly until: string; readonly seconds: number }[];
  };
}

/** All worked auctions, in the order of their numbers. */
export const FIXTURES: readonly Fixture[] = readdirSync(FOLDER)
  .filter((name) => /^\d\d-.*\.json$/.test(name))
  .toSorted()
  .map((name): Fixture => JSON.parse(fixtureText(name)));

export function fixtureText(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8');
}

export function fixtureNamed(name: string): Fixture {
  const found = FIXTURES.find((fixture) => fixture.name === name);
  if (found === undefined) throw new Error(`no fixture ${name}`);
  return found;
}

/** The plan that the room makes of what it reads. */
export function buildPlan({ auction }: Fixture): AuctionPlan {
  const { lot_id: lotId, accelerator, zeroLength } = auction;
  const features =
    auction.allFeatures === undefined
      ? auction.features
      : relevantFeatures(auction.allFeatures, auction.items ?? [], lotId ?? undefined);
  return {
    id: auction.id,
    tenderId: auction.tender_id,
    ...(lotId === null ? {} : { lotId }),
    tender: {
      tenderID: auction.tenderID,
      test: false,
      features,
      minimalStep: auction.minimalStep.amount,
      shown: { minimalStep: auction.minimalStep },
    },
    bids: auction.bids.map(({ id, date, amount, parameters = [] }) => ({ id, date, amount, parameters })),
    record: auction.allBids ?? auction.bids.map(({ id }) => ({ id })),
    startAt: parseInstant(auction.start),
    lengths: zeroLength === true ? noLengths() : stageLengths(accelerator),
  };
}

/** A moment before the auction, at which it is planned. */
export function plannedAt({ auction }: Fixture): Instant {
  return parseInstant(auction.start.replace(/T\d\d:\d\d/, 'T09:00'));
}
