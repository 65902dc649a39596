import { describe, expect, it } from 'vitest';
import { awardFacts, IDS } from '../../test-support/document-facts.ts';
import {
  anonymous,
  auction,
  bidOwner,
  fileForm,
  postDocument,
  readsFrom,
  sendForm,
  sendJson,
  tenderOwner,
} from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const { get, bytesAt } = readsFrom(running);

/** Every collection of a tender in qualification, with a caller who may write to it. */
async function collections() {
  const tender = await running().tender({ status: 'active.qualification', lots: [{ id: IDS.lot, status: 'active' }] });
  const bid = await running().bid(tender.id);
  await running().deliverAwards(awardFacts({ tenderId: tender.id, bidId: bid.id }));
  const base = `/tenders/${tender.id}`;
  return {
    tender,
    bid,
    rows: [
      ['bid', `${base}/bids/${bid.id}/documents`, bidOwner],
      ['award', `${base}/awards/${IDS.award}/documents`, tenderOwner],
      ['award complaint', `${base}/awards/${IDS.award}/complaints/${IDS.awardComplaint}/documents`, tenderOwner],
      ['complaint', `${base}/complaints/${IDS.complaint}/documents`, tenderOwner],
      ['cancellation', `${base}/cancellations/${IDS.cancellation}/documents`, tenderOwner],
      ['contract', `${base}/contracts/${IDS.contract}/documents`, tenderOwner],
      ['tender', `${base}/documents`, auction],
    ] as const,
  };
}

describe('…/documents of every parent', () => {
  it('accepts a document, a version and a change, shows them, and publishes every version in one event', async () => {
    const { tender, rows } = await collections();
    for (const [kind, url, caller] of rows) {
      const { id } = await postDocument(running().app, url, caller, fileForm(`${kind} 1`));
      const put = await sendForm(running().app, 'PUT', `${url}/${id}`, caller, fileForm(`${kind} 2`));
      expect(put.statusCode, `${kind} ${put.body}`).toBe(200);
      const patched = await sendJson(running().app, 'PATCH', `${url}/${id}`, caller, { title: kind });
      expect(patched.statusCode, `${kind} ${patched.body}`).toBe(200);
      const one = (await get(`${url}/${id}`)).json().data;
      expect(one).toMatchObject({ id, title: kind, previousVersions: [{ id, title: 'notice.pdf' }] });
      expect(await bytesAt(one.url)).toBe(`${kind} 2`);
      expect(await bytesAt(one.previousVersions[0].url)).toBe(`${kind} 1`);
      const { previousVersions: _before, ...newest } = one;
      expect((await get(url)).json().data).toEqual([newest]);
      expect((await get(`${url}?all=1`)).json().data).toHaveLength(2);
    }
    const event = (await running().events(tender.id)).at(-1);
    const both = (kind: string) => [
      { parent: { kind }, document: { title: 'notice.pdf' } },
      { parent: { kind }, document: { title: kind } },
    ];
    expect(event.data.documents).toMatchObject(rows.flatMap(([kind]) => both(kind)));
    expect(event.data.version).toBe(rows.length * 3);
  });

  it('404: the outermost object that does not exist, for every caller', async () => {
    const { tender, bid } = await collections();
    const none = '0'.repeat(32);
    const rows = [
      [`/tenders/${none}/bids/${none}/documents`, 'tender_id'],
      [`/tenders/${tender.id}/bids/${none}/documents`, 'bid_id'],
      [`/tenders/${tender.id}/bids/${bid.id}/documents/${none}`, 'document_id'],
      [`/tenders/${tender.id}/awards/${none}/complaints/${none}/documents`, 'award_id'],
      [`/tenders/${tender.id}/awards/${IDS.award}/complaints/${none}/documents`, 'complaint_id'],
      [`/tenders/${tender.id}/complaints/${none}/documents`, 'complaint_id'],
      [`/tenders/${tender.id}/cancellations/none/documents`, 'cancellation_id'],
      [`/tenders/${tender.id}/contracts/${none}/documents`, 'contract_id'],
    ] as const;
    for (const [url, name] of rows) {
      const response = await get(url);
      expect([response.statusCode, response.json().errors[0]]).toMatchObject([
        404,
        { location: 'url', name, description: 'Not Found' },
      ]);
      const method = url.endsWith(none) && url.includes('/documents/') ? 'PUT' : 'POST';
      expect((await sendForm(running().app, method, url, anonymous)).statusCode).toBe(404);
    }
  });

  it('404: a document below another parent', async () => {
    const { tender } = await collections();
    const { id } = await postDocument(running().app, `/tenders/${tender.id}/documents`, auction);
    const elsewhere = `/tenders/${tender.id}/cancellations/${IDS.cancellation}/documents/${id}`;
    expect((await get(elsewhere)).json().errors[0].name).toBe('document_id');
  });

  it('404: a file that is not of the document', async () => {
    const { tender } = await collections();
    const url = `/tenders/${tender.id}/documents`;
    const { id } = await postDocument(running().app, url, auction);
    const response = await get(`${url}/${id}?download=${'0'.repeat(32)}`);
    expect([response.statusCode, response.json().errors[0].code]).toEqual([404, 'document.download']);
  });

  it('405: DELETE', async () => {
    const { tender } = await collections();
    const { id } = await postDocument(running().app, `/tenders/${tender.id}/documents`, auction);
    const url = `/tenders/${tender.id}/documents/${id}`;
    const response = await running().app.inject({ method: 'DELETE', url, headers: auction });
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD, PUT, PATCH']);
  });
});
