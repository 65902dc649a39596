import { parseInstant } from '@procurement/contracts/reading/instant';
import { LOT_1, LOT_2 } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import {
  applyInput,
  award,
  awardsInput,
  newTender,
  tenderWithLots,
  withSealedBids,
  AUCTION_ENDED_AT,
  endAuctionInput,
  OPEN_TWO_BIDS,
} from '../../test-support/run-command.ts';

const at = AUCTION_ENDED_AT;
const reported = parseInstant(at);
const [end, both] = [endAuctionInput, OPEN_TWO_BIDS];

describe('EndAuction before the planned start (rulings R33)', () => {
  it.each([[[], undefined] as const, [[LOT_1, LOT_2], LOT_1] as const])(
    'moves the start to the report, lots %j',
    (lots, lot) => {
      const auction = withSealedBids(lots.length === 0 ? newTender() : tenderWithLots(), lots, lots).state;
      const startDate = '2026-05-22T11:00:00+03:00';
      const { document } = auction;
      const planned = {
        ...auction,
        document: {
          ...document,
          ...(lot === undefined
            ? { auctionPeriod: { startDate } }
            : { lots: document.lots?.map((one) => ({ ...one, auctionPeriod: { startDate } })) }),
        },
      };
      const ended = applyInput(planned, end(lot), reported).state;
      const open = lot === undefined ? applyInput(ended, both, reported).state : ended;
      const shown =
        lot === undefined ? applyInput(open, awardsInput(open, [award('a1', 'pending')]), reported).state : open;
      const period = lot === undefined ? shown.document.auctionPeriod : shown.document.lots?.[0]?.auctionPeriod;
      expect(period).toEqual({ startDate: at, endDate: at });
    },
  );
});
