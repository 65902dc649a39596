import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';

/** The smallest tender in tendering whose auction needs a start on or after Thursday, 16 February 2017. */
export function tenderFacts(partial: Partial<TenderFacts> = {}): TenderFacts {
  return {
    id: '7e1b5c2f0a9d4e638b5f1c2d3e4f5a6b',
    version: 1,
    awardsVersion: 0,
    documentsVersion: 0,
    tenderID: 'UA-2017-02-06-000001',
    status: 'active.tendering',
    owner: 'broker1',
    ownerTokenHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    tenderPeriod: { startDate: '2017-02-08T18:00:00+02:00', endDate: '2017-02-15T18:00:00+02:00' },
    auctionPeriod: { shouldStartAfter: '2017-02-16T00:00:00+02:00' },
    ...partial,
  };
}
