import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { IDS, TOKENS } from '../../test-support/document-facts.ts';
import { NOW } from '../../test-support/events.ts';
import {
  anonymous,
  auction,
  bidOwner,
  broker,
  fileForm,
  postDocument,
  readsFrom,
  sendForm,
  tenderOwner,
  type Headers,
} from '../../test-support/requests.ts';
import { startDocuments } from '../../test-support/running-documents.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const { get, bytesAt } = readsFrom(running);

describe('documents of a sealed bid', () => {
  async function sealed() {
    const tender = await running().tender({ status: 'active.tendering' });
    const bid = await running().bid(tender.id);
    const url = `/tenders/${tender.id}/bids/${bid.id}/documents`;
    const document = await postDocument(running().app, url, bidOwner, fileForm('secret'));
    return { tender, bid, url, document };
  }
  const otherCallers: readonly Headers[] = [
    anonymous,
    broker,
    tenderOwner,
    auction,
    signedIdentity({ broker: 'broker2' }),
  ];

  it('are hidden from other callers in the list, the record, the file and events', async () => {
    const { tender, url, document } = await sealed();
    expect(document.url).toMatch(
      new RegExp(`^https://api\\.example\\.org/api/2\\.5${url}/${document.id}\\?download=[0-9a-f]{32}$`),
    );
    expect(document).not.toHaveProperty('author');
    const download = document.url.slice(document.url.indexOf(url));
    for (const caller of otherCallers) {
      for (const [path, kind] of [
        [url, 'documents'],
        [`${url}/${document.id}`, 'document'],
        [download, 'document'],
      ]) {
        const response = await get(path ?? '', caller);
        expect(response.statusCode).toBe(403);
        expect(response.json().errors[0].description).toBe(
          `Can't view bid ${kind} in current (active.tendering) tender status`,
        );
      }
    }
    expect(await running().events(tender.id)).toEqual([]);
  });

  it('are shown to the owner, with an address that is valid for five minutes', async () => {
    const { url, document } = await sealed();
    const { previousVersions, ...record } = (await get(`${url}/${document.id}`, bidOwner)).json().data;
    expect([record, previousVersions]).toEqual([document, []]);
    const response = await get(document.url.slice(document.url.indexOf(url)), bidOwner);
    expect(response.statusCode).toBe(302);
    const location = String(response.headers.location);
    expect(response.json()).toBe(location);
    expect(new URL(location).searchParams.get('Expires')).toBe(String(Math.floor(Date.parse(NOW) / 1000) + 300));
    expect(await bytesAt(location)).toBe('secret');
    running().clock.advance(301_000);
    expect(await bytesAt(location)).toContain('Request has expired');
  });

  it('are returned to the bids service on request', async () => {
    const { tender, bid, document } = await sealed();
    const request = async (opened: boolean) =>
      sendRequest(running().bus, rpcSubjects.bidDocuments, { id: tender.id, bids: [bid.id, '0'.repeat(32)], opened });
    expect(await request(false)).toEqual({ kind: 'answer', value: { [bid.id]: [document] } });
    // Nobody can have opened the bids of a tender that takes bids, whoever says so.
    expect(await request(true)).toEqual({ kind: 'answer', value: { [bid.id]: [document] } });
    // The bids service is the first to know that bids are opened; the copy of the tender may lag.
    running().ownerTenders.set(tender.id, { ...tender, version: tender.version + 1, status: 'active.auction' });
    const url = expect.stringMatching(/\/get\/[0-9a-f]{32}\?/);
    expect(await request(true)).toEqual({ kind: 'answer', value: { [bid.id]: [{ ...document, url }] } });
  });

  it('become public with permanent addresses when the bids are opened, and are published then', async () => {
    const { tender, url, document } = await sealed();
    await running().deliverBidsOpened(tender.id);
    await running().deliverBidsOpened(tender.id);
    const [shown] = (await get(url)).json().data;
    expect(shown).toMatchObject({ id: document.id, title: document.title });
    expect(await bytesAt(shown.url)).toBe('secret');
    expect(await running().events(tender.id)).toMatchObject([
      { type: 'document.changed', asksForAppliedAck: true, data: { documents: [{ document: shown }] } },
    ]);
  });

  it('404: an unknown document of a sealed bid, before the 403 of its parent', async () => {
    const { url, document } = await sealed();
    expect((await get(`${url}/${'0'.repeat(32)}`)).json().errors[0].name).toBe('document_id');
    expect((await get(`${url}/${document.id}`)).statusCode).toBe(403);
  });

  it('are left out of events about other documents of the tender', async () => {
    const { tender } = await sealed();
    await postDocument(running().app, `/tenders/${tender.id}/cancellations/${IDS.cancellation}/documents`, tenderOwner);
    const [event] = await running().events(tender.id);
    expect(event.data.documents).toMatchObject([{ parent: { kind: 'cancellation' } }]);
  });
});

describe('documents of a bid with open guards', () => {
  it('are writable and visible in enquiries on older segments, never on segment 2.5', async () => {
    const open = await startDocuments({ guards: 'open' });
    try {
      const tender = await open.tender();
      const bid = await open.bid(tender.id);
      const url = `/tenders/${tender.id}/bids/${bid.id}/documents`;
      const tokenHash = sha256Hex(TOKENS.bid);
      const early = signedIdentity({ broker: 'broker2', tokenHash, segment: '2.3' });
      expect((await sendForm(open.app, 'POST', url, bidOwner)).statusCode).toBe(403);
      expect((await sendForm(open.app, 'POST', url, early)).statusCode).toBe(201);
      const reader = signedIdentity({ broker: 'broker9', segment: '2.3' });
      expect((await open.app.inject({ method: 'GET', url, headers: reader })).json().data).toHaveLength(1);
      expect((await open.app.inject({ method: 'GET', url, headers: broker })).statusCode).toBe(403);
    } finally {
      await open.close();
    }
  });
});
