import { describe, expect, it } from 'vitest';
import { exampleNames, exampleSettings, exampleStates, publicTender, publish } from '../test-support/examples.ts';
import { isPublished, nextRelease } from './release.ts';
import { isInvalid, readPublicTender } from './public-tender.ts';

const tender = {
  id: '5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
  tenderID: 'UA-2026-03-02-000001',
  dateModified: '2026-03-02T10:15:00.482999+02:00',
  status: 'active.enquiries',
};
const supplier = { name: 'ТОВ «Канцлер»', identifier: { scheme: 'UA-EDR', id: '34567803' } };
const bid = { id: 'b1', status: 'active', value: { amount: 94250.5, currency: 'UAH' }, tenderers: [supplier] };

describe('a release', () => {
  it('has a date in UTC with three decimals, and an id made of it', () => {
    const { release } = publish([tender])[0]!;
    expect(release).toMatchObject({
      date: '2026-03-02T08:15:00.482Z',
      id: 'ocds-213czf-UA-2026-03-02-000001-20260302T081500482Z',
    });
  });

  it.each([
    ['of the same moment', '2026-03-02T10:15:00.482999+02:00', '2026-03-02T08:15:00.483Z'],
    ['of an earlier moment', '2026-03-01T00:00:00+02:00', '2026-03-02T08:15:00.483Z'],
    ['of another offset', '2026-03-02T10:15:01+03:00', '2026-03-02T08:15:00.483Z'],
    ['of a later moment', '2026-03-02T10:15:01+02:00', '2026-03-02T08:15:01.000Z'],
  ])('is later than the one before it: a change %s', (_what, dateModified, date) => {
    expect(publish([tender, { ...tender, dateModified, title: 'x' }])[1]?.release.date).toBe(date);
  });

  it('is not made when only members change that are not mapped', () => {
    const complaint = { complaints: [{ id: 'c' }], numberOfBids: 3, next_check: tender.dateModified };
    expect(publish([tender, { ...tender, ...complaint, dateModified: '2026-03-03T00:00:00+02:00' }])).toHaveLength(1);
  });

  it('does not depend on the order of members', () => {
    const views = [tender, Object.fromEntries(Object.entries(tender).toReversed())];
    expect(publish(views)).toHaveLength(1);
  });

  it('removes with markers what the view no longer has', () => {
    const full = {
      ...tender,
      description: 'a',
      bids: [],
      auctionPeriod: { startDate: '2026-03-17T11:00:00+02:00' },
      features: [{ code: 'F', featureOf: 'tenderer', title: 't', enum: [{ value: 0.1, title: 'o' }] }],
      procuringEntity: { name: 'Рада', address: { region: 'Київ' } },
    };
    expect(publish([full, tender])[1]?.release).toMatchObject({
      parties: [{ id: expect.stringMatching(/^local-/), name: null, address: { region: null }, roles: null }],
      buyer: { name: null },
      tender: {
        description: null,
        auctions: [],
        criteria: [
          {
            id: 'F',
            title: null,
            relatesToTenderer: null,
            requirementGroups: [
              { id: 'F-0.1', requirements: [{ id: 'F-0.1', title: null, dataType: null, expectedValue: null }] },
            ],
          },
        ],
      },
    });
  });

  it('repeats in a marker what the schema requires: a statistic that is gone', () => {
    const opened = { ...tender, status: 'active.qualification', bids: [bid] };
    const rejected = { ...opened, bids: [{ ...bid, status: 'invalid' }] };
    expect(publish([opened, rejected])[1]?.release['bids']).toMatchObject({
      statistics: expect.arrayContaining([
        { id: 'lowestValidBidValue', measure: 'lowestValidBidValue', value: 94250.5, currency: null },
      ]),
    });
  });
});

describe('a tender', () => {
  it.each([
    ['draft', undefined, true, false],
    ['active.enquiries', undefined, false, true],
    ['active.enquiries', 'test', false, false],
    ['active.enquiries', 'test', true, true],
  ])('in %s, mode %s, includeTest %s: %s', (status, mode, includeTest, published) => {
    expect(isPublished(publicTender({ ...tender, status, mode }), { includeTest })).toBe(published);
  });

  it('that becomes a test tender is withdrawn once, and a later return is published', () => {
    const test = { ...tender, mode: 'test' };
    const later = { ...test, dateModified: '2026-03-04T00:00:00+02:00', title: 'not published' };
    const publications = publish([tender, test, later, { ...tender, dateModified: '2026-03-05T00:00:00+02:00' }]);
    expect(publications.map(({ release }) => [release.tag, (release['tender'] as { status: string }).status])).toEqual([
      [['tender'], 'active'],
      [['tenderUpdate'], 'withdrawn'],
      [['tenderUpdate'], 'active'],
    ]);
    expect(JSON.stringify(publications)).not.toContain('not published');
  });

  it('that was never published is not withdrawn', () => {
    expect(nextRelease(publicTender({ ...tender, mode: 'test' }), undefined, exampleSettings)).toBeUndefined();
  });

  it.each([
    ['{', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    [JSON.stringify({ ...tender, tenderID: undefined }), 'no tenderID'],
    [JSON.stringify({ ...tender, id: 7 }), 'no id'],
    [JSON.stringify({ ...tender, dateModified: 'today' }), 'dateModified is not a date'],
    [JSON.stringify({ ...tender, tenderID: 'a/b' }), 'tenderID cannot be part of an ocid'],
  ])('%s is refused: %s', (source, invalid) => {
    expect(readPublicTender(source)).toEqual({ invalid });
  });

  it('may have a member called invalid', () => {
    expect(isInvalid(publicTender({ ...tender, invalid: 'yes' }))).toBe(false);
  });
});

describe('bids', () => {
  const traces = ['34567803', 'Канцлер', '94250.5', '"b1'];
  const SEALED = ['active.enquiries', 'active.tendering', 'active.auction', 'cancelled'];
  const OPENED = ['active.qualification', 'active.awarded', 'complete', 'unsuccessful'];

  it.each(SEALED)('leave no trace in %s, even if the view shows them', (status) => {
    const text = JSON.stringify(publish([{ ...tender, status, bids: [bid] }]));
    for (const trace of traces) expect(text).not.toContain(trace);
    expect(text).not.toMatch(/"(bids|tenderers|numberOfTenderers|relatedBid)"/);
  });

  it.each(OPENED)('are published in %s', (status) => {
    const text = JSON.stringify(publish([{ ...tender, status, bids: [bid] }]));
    for (const trace of traces) expect(text).toContain(trace);
  });

  it('stay published when the tender is cancelled after the opening, which an award proves', () => {
    const award = { id: 'a1', status: 'pending', bid_id: 'b1', suppliers: [supplier] };
    const { release } = publish([{ ...tender, status: 'cancelled', bids: [bid], awards: [award] }])[0]!;
    expect(release).toMatchObject({ tender: { numberOfTenderers: 1 }, awards: [{ relatedBid: 'b1' }] });
  });

  it('are not linked from an award that was posted before the opening', () => {
    const award = { id: 'a1', status: 'pending', bid_id: 'b1' };
    const { release } = publish([{ ...tender, status: 'active.tendering', bids: [bid], awards: [award] }])[0]!;
    expect(release).toMatchObject({ awards: [{ id: 'a1', status: 'pending' }] });
    expect(JSON.stringify(release)).not.toContain('relatedBid');
  });

  it('that are drafts or deleted are not published', () => {
    const bids = ['draft', 'deleted', 'withdrawn'].map((status) => ({ ...bid, id: status, status }));
    const { release } = publish([{ ...tender, status: 'active.qualification', bids }])[0]!;
    expect(release['bids']).toMatchObject({ details: [{ id: 'withdrawn', status: 'withdrawn' }] });
  });
});

describe('internal members', () => {
  it('are in no release', () => {
    const internal = { owner: 'broker', owner_token: 'secret', next_check: 'later', revisions: [{ id: 'r' }] };
    const confidential = { id: 'd', title: 'private', confidentiality: 'buyerOnly' };
    const bids = [{ ...bid, participationUrl: 'https://auction.example/key', documents: [confidential] }];
    const view = {
      ...tender,
      ...internal,
      status: 'active.qualification',
      bids,
      documents: [{ id: 'e', hash: 'md5:1' }],
    };
    expect(JSON.stringify(publish([view]))).not.toMatch(/secret|broker|later|auction\.example|private|md5|revisions/);
  });
});

it.each(exampleNames)('the views of example %s are not changed', (name) => {
  const [states, before] = [exampleStates(name), JSON.stringify(exampleStates(name))];
  publish(states);
  expect(JSON.stringify(states)).toBe(before);
});
