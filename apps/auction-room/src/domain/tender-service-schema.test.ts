import { AuctionInput } from '@procurement/contracts/resources/auction';
import { describe, expect, it } from 'vitest';
import { FIXTURES } from '../../test-support/fixtures.ts';
import { plannedAuction, playFixture } from '../../test-support/play-fixture.ts';
import { addressRequest } from './addresses.ts';
import type { Auction } from './auction.ts';
import { resultsReport } from './report.ts';

/** Address of a link with every character that a secret has. */
const linkOf = (bid: string, generation: number): string =>
  `https://room.example.org/tenders/a/login?bidder_id=${bid}&hash=${generation}-${'0123456789abcdef'.repeat(2)}01234567`;

/** The plan of a lot, with a second lot beside it. */
function buildAddressRequest(auction: Auction) {
  const { lotId } = auction.plan;
  const lots = lotId === undefined ? {} : { lots: [lotId, 'f'.repeat(32)] };
  const plan = { ...auction.plan, ...lots };
  return addressRequest({ ...auction, plan }, { publicUrl: 'https://room.example.org', linkOf });
}

describe.each(FIXTURES)('the addresses of the worked auction $name', (fixture) => {
  it('are a body by the schema of the tender service, which drops nothing of it (A9)', () => {
    const { data } = buildAddressRequest(plannedAuction(fixture).state()).body;
    expect(JSON.stringify(data)).toContain('"auctionUrl"');
    expect(AuctionInput.parse(data)).toEqual(data);
  });
});

describe.each(FIXTURES.filter(({ expect: { reported } }) => reported !== false))(
  'the report of the worked auction $name',
  (fixture) => {
    it('is a body by the schema of the tender service, which drops nothing of it (A9)', () => {
      const { data } = resultsReport(playFixture(fixture).state()).body;
      expect(AuctionInput.parse(data)).toEqual(data);
    });
  },
);
