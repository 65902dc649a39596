import { formatLocalDate, type Instant } from '@procurement/contracts/reading/instant';
import type { Auction, ClosedTurn, PriceLine } from './auction.ts';
import { numberLabel } from './public-document.ts';
import { announcementStage, roundAndTurn } from './timetable.ts';
import { writeYaml, type YamlValue } from './yaml.ts';

type Mapping = { readonly [name: string]: YamlValue | undefined };

/** Identities of the bidders by bid: their `tenderers`, for the second version of the document. */
export type Identities = Readonly<Record<string, readonly YamlValue[]>>;

/** The file of a finished auction, in the form that both older components publish (auction-room.md 12). */
export function protocolFile(auction: Auction, identities?: Identities): string {
  return writeYaml(buildProtocol(auction, identities));
}

/** The content of the protocol: a function of the log alone. */
export function buildProtocol(auction: Auction, identities: Identities = {}): Mapping {
  const { id, tenderId, lotId, tender } = auction.plan;
  return {
    id,
    tenderId: tender.tenderID,
    tender_id: tenderId,
    lot_id: lotId,
    timeline: {
      auction_start: {
        time: formatTime(auction.starts[0]),
        initial_bids: auction.initialBids.map((line) => openingLine(auction, line)),
      },
      ...rounds(auction),
      shifts: auction.shifts.length === 0 ? undefined : auction.shifts.map(shiftLine),
      results: {
        time: formatTime(auction.starts[announcementStage(auction.bids.length)]),
        bids: auction.results.map((line) => ({
          bidder: line.bid,
          amount: line.amount,
          time: formatLocalDate(line.time),
          ...fractions(line),
          identification: identities[line.bid],
        })),
      },
    },
  };
}

function openingLine(auction: Auction, line: PriceLine): Mapping {
  return {
    bidder: line.bid,
    date: formatLocalDate(line.time),
    amount: line.amount,
    // Numbers stay in the protocol when names are revealed: they are how the auction was held.
    label: { ...numberLabel(auction.numbers[line.bid] ?? 0) },
    ...fractions(line),
  };
}

function rounds(auction: Auction): Mapping {
  const byRound: Record<string, Record<string, Mapping>> = {};
  for (const turn of auction.turns) {
    const place = roundAndTurn(auction.bids.length, turn.stage);
    const round = (byRound[`round_${place.round + 1}`] ??= {});
    round[`turn_${place.turn + 1}`] = turnLine(turn);
  }
  return byRound;
}

function turnLine(turn: ClosedTurn): Mapping {
  return {
    bidder: turn.bid,
    time: formatLocalDate(turn.closedAt),
    amount: turn.amount,
    bid_time: turn.changed ? formatLocalDate(turn.time) : undefined,
    ...fractions(turn),
  };
}

function shiftLine({ from, until, seconds }: Auction['shifts'][number]): Mapping {
  return { from: formatLocalDate(from), until: formatLocalDate(until), seconds: BigInt(seconds) };
}

function fractions({ amountFeatures, coeficient }: PriceLine): Mapping {
  return { amount_features: amountFeatures, coeficient };
}

function formatTime(instant: Instant | undefined): string | undefined {
  return instant === undefined ? undefined : formatLocalDate(instant);
}
