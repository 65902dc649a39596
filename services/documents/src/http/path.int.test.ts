import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { awardFacts, bidFacts, IDS, tenderFacts, TOKENS } from '../../test-support/document-facts.ts';
import {
  bidOwner,
  complaintOwner,
  postDocument,
  sendForm,
  sendJson,
  tenderOwner,
} from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();

describe('copies of tender and bid that lag', () => {
  it('cause no refusal: the tender is requested from its owner first', async () => {
    const stale = await running().tender({ status: 'draft', complaints: [] });
    const url = `/tenders/${stale.id}/documents`;
    running().ownerTenders.set(stale.id, { ...stale, status: 'active.enquiries', version: 2 });
    expect((await sendForm(running().app, 'POST', url, tenderOwner)).statusCode).toBe(201);
  });

  it('cause no 404 of a complaint or a bid that was just created', async () => {
    const stale = await running().tender({ complaints: [], status: 'active.tendering' });
    const complaints = [
      {
        id: IDS.complaint,
        type: 'claim',
        status: 'draft',
        owner: 'broker3',
        ownerTokenHash: sha256Hex(TOKENS.complaint),
      },
    ];
    running().ownerTenders.set(stale.id, { ...stale, complaints, version: 2 });
    const complaint = `/tenders/${stale.id}/complaints/${IDS.complaint}/documents`;
    expect((await sendForm(running().app, 'POST', complaint, complaintOwner)).statusCode).toBe(201);
    const id = 'abcdef'.padEnd(32, '0');
    running().ownerBids.set(id, bidFacts({ id, tenderId: stale.id }));
    const bid = await sendForm(running().app, 'POST', `/tenders/${stale.id}/bids/${id}/documents`, bidOwner);
    expect(bid.statusCode).toBe(201);
  });
});

/** A tender whose copy here is older than what its owner has acknowledged. */
async function changedAtOwner(before: Partial<TenderFacts>, after: Partial<TenderFacts>): Promise<TenderFacts> {
  const stale = await running().tender(before);
  running().ownerTenders.set(stale.id, { ...stale, ...after, version: 2 });
  return stale;
}

const ANSWER = [403, 'data'];
const summarize = ({ statusCode, json }: Awaited<ReturnType<typeof sendForm>>) => [
  statusCode,
  json().errors?.[0].name ?? '',
];

describe('a write after a change that its client holds the answer to', () => {
  it('is refused after a cancellation and after a change of the status', async () => {
    for (const status of ['cancelled', 'active.tendering']) {
      const { id } = await changedAtOwner({}, { status });
      const url = `/tenders/${id}/documents`;
      expect(summarize(await sendForm(running().app, 'POST', url, tenderOwner))).toEqual(ANSWER);
      expect(await running().events(id)).toEqual([]);
    }
  });

  it('is refused for a new version, and for a change of members', async () => {
    const { id } = await running().tender();
    const url = `/tenders/${id}/documents`;
    const document = await postDocument(running().app, url, tenderOwner);
    const tender = running().ownerTenders.get(id);
    if (tender !== undefined) running().ownerTenders.set(id, { ...tender, status: 'cancelled', version: 2 });
    const path = `${url}/${document.id}`;
    expect(summarize(await sendForm(running().app, 'PUT', path, tenderOwner))).toEqual(ANSWER);
    expect(summarize(await sendJson(running().app, 'PATCH', path, tenderOwner, { title: 'other' }))).toEqual(ANSWER);
  });

  it('is refused after a change of a complaint about the tender or an award', async () => {
    const [complaint] = tenderFacts().complaints ?? [];
    if (complaint === undefined) throw new Error('the fixture has a complaint');
    const changed = [{ ...complaint, status: 'cancelled' }];
    const { id } = await changedAtOwner({}, { complaints: changed });
    const url = `/tenders/${id}/complaints/${complaint.id}/documents`;
    expect(summarize(await sendForm(running().app, 'POST', url, tenderOwner))).toEqual(ANSWER);

    const { id: awarded } = await running().tender({ status: 'active.qualification' });
    await running().deliverAwards(awardFacts({ tenderId: awarded }));
    const ofAward = `/tenders/${awarded}/awards/${IDS.award}/complaints/${IDS.awardComplaint}/documents`;
    running().ownerAwards.set(awarded, awardFacts({ tenderId: awarded, complaint: 'cancelled', version: 2 }));
    expect(summarize(await sendForm(running().app, 'POST', ofAward, tenderOwner))).toEqual(ANSWER);
  });

  it('is refused after the bid was withdrawn', async () => {
    const { id } = await running().tender({ status: 'active.tendering' });
    const bid = await running().bid(id);
    running().ownerBids.delete(bid.id);
    const response = await sendForm(running().app, 'POST', `/tenders/${id}/bids/${bid.id}/documents`, bidOwner);
    expect(summarize(response)).toEqual([404, 'bid_id']);
  });
});

describe('while the tenders service does not answer', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('a write is 503 with a pause and changes nothing, a read of a known tender is 200', async () => {
    const { id } = await running().tender();
    vi.spyOn(running().ownerTenders, 'get').mockImplementation(() => {
      throw new Error('unavailable');
    });
    const url = `/tenders/${id}/documents`;
    const written = await sendForm(running().app, 'POST', url, tenderOwner);
    expect([written.statusCode, written.headers['retry-after']]).toEqual([503, '5']);
    expect(await running().events(id)).toEqual([]);
    expect((await running().app.inject({ url, headers: tenderOwner })).statusCode).toBe(200);
    const unknown = await running().app.inject({ url: `/tenders/${'1'.repeat(32)}/documents`, headers: tenderOwner });
    expect([unknown.statusCode, unknown.headers['retry-after']]).toEqual([503, '5']);
  });

  it('what the copy refuses or lacks is 503, too, and no 403 or 404', async () => {
    const { id } = await running().tender({ status: 'cancelled' });
    vi.spyOn(running().ownerTenders, 'get').mockImplementation(() => {
      throw new Error('unavailable');
    });
    const collections = ['documents', `cancellations/${'2'.repeat(32)}/documents`];
    for (const collection of collections) {
      const written = await sendForm(running().app, 'POST', `/tenders/${id}/${collection}`, tenderOwner);
      expect([collection, written.statusCode]).toEqual([collection, 503]);
    }
  });
});
