import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { sendRequest } from '@procurement/kit/messaging/request';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { awardFacts, tenderFacts, IDS, TOKENS } from '../../test-support/document-facts.ts';
import {
  auction,
  bidOwner,
  broker,
  complaintOwner,
  fileForm,
  formOf,
  postDocument,
  sendForm,
  sendJson,
  tenderOwner,
  type Headers,
} from '../../test-support/requests.ts';
import { NOW } from '../../test-support/events.ts';
import { startDocuments, type RunningDocuments } from '../../test-support/running-documents.ts';

let running: RunningDocuments;

beforeAll(async () => {
  running = await startDocuments();
});

beforeEach(() => running.clock.set(NOW));

afterAll(async () => {
  await running.close();
});

const anonymous = anonymousIdentity();

async function get(url: string, headers: Headers = anonymous) {
  return running.app.inject({ method: 'GET', url, headers });
}

/** The bytes at an address of the document service, as the gateway would forward the request for them. */
async function bytesAt(address: string): Promise<string> {
  const { pathname, search } = new URL(address);
  return (await get(pathname + search)).body;
}

/** Every collection of one tender in qualification, and who may write to it. */
async function collections() {
  const tender = await running.tender({ status: 'active.qualification', lots: [{ id: IDS.lot, status: 'active' }] });
  const bid = await running.bid(tender.id);
  await running.deliverAwards(awardFacts({ tenderId: tender.id, bidId: bid.id }));
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

describe('every collection', () => {
  it('takes a document, a version, a change, and shows them; every version in one event', async () => {
    const { tender, rows } = await collections();
    for (const [kind, url, caller] of rows) {
      const { id } = await postDocument(running.app, url, caller, fileForm(`${kind} 1`));
      // What the bots and the auction add to an award only its author could change.
      const put = await sendForm(running.app, 'PUT', `${url}/${id}`, caller, fileForm(`${kind} 2`));
      expect(put.statusCode, `${kind} ${put.body}`).toBe(200);
      const patched = await sendJson(running.app, 'PATCH', `${url}/${id}`, caller, { title: kind });
      expect(patched.statusCode, `${kind} ${patched.body}`).toBe(200);
      const one = (await get(`${url}/${id}`)).json().data;
      expect(one).toMatchObject({ id, title: kind, previousVersions: [{ id, title: 'notice.pdf' }] });
      expect(await bytesAt(one.url)).toBe(`${kind} 2`);
      expect(await bytesAt(one.previousVersions[0].url)).toBe(`${kind} 1`);
      const { previousVersions: _before, ...newest } = one;
      expect((await get(url)).json().data).toEqual([newest]);
      expect((await get(`${url}?all=1`)).json().data).toHaveLength(2);
    }
    const told = (await running.events(tender.id)).at(-1);
    const both = (kind: string) => [
      { parent: { kind }, document: { title: 'notice.pdf' } },
      { parent: { kind }, document: { title: kind } },
    ];
    expect(told.data.documents).toMatchObject(rows.flatMap(([kind]) => both(kind)));
    expect(told.data.version).toBe(rows.length * 3);
  });

  it('404: of what does not exist, outermost first, whoever asks', async () => {
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
      const answer = await get(url);
      expect([answer.statusCode, answer.json().errors[0]]).toEqual([
        404,
        { location: 'url', name, description: 'Not Found' },
      ]);
      const method = url.endsWith(none) && url.includes('/documents/') ? 'PUT' : 'POST';
      expect((await sendForm(running.app, method, url, anonymous)).statusCode).toBe(404);
    }
  });

  it('404: of a document at another parent than its own', async () => {
    const { tender } = await collections();
    const { id } = await postDocument(running.app, `/tenders/${tender.id}/documents`, auction);
    const elsewhere = `/tenders/${tender.id}/cancellations/${IDS.cancellation}/documents/${id}`;
    expect((await get(elsewhere)).json().errors[0].name).toBe('document_id');
  });

  it('405: nothing is deleted', async () => {
    const { tender } = await collections();
    const { id } = await postDocument(running.app, `/tenders/${tender.id}/documents`, auction);
    const url = `/tenders/${tender.id}/documents/${id}`;
    const answer = await running.app.inject({ method: 'DELETE', url, headers: auction });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, PUT, PATCH']);
  });
});

describe('PUT of a version', () => {
  it('takes raw bytes, which keep the title', async () => {
    const { id: tender } = await running.tender();
    const url = `/tenders/${tender}/documents`;
    const { id } = await postDocument(running.app, url, tenderOwner);
    running.clock.advance(1_000);
    const headers = { ...tenderOwner, 'content-type': 'text/plain; charset=utf-8' };
    const answer = await running.app.inject({ method: 'PUT', url: `${url}/${id}`, headers, payload: 'raw' });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.json().data).toMatchObject({
      id,
      title: 'notice.pdf',
      format: 'text/plain',
      datePublished: NOW,
      dateModified: '2026-05-12T10:15:01.120034+03:00',
    });
    expect(await bytesAt(answer.json().data.url)).toBe('raw');
  });

  it('repeated with the same seed makes no second one, nor does a POST', async () => {
    const { id: tender } = await running.tender();
    const url = `/tenders/${tender}/documents`;
    const tokenHash = sha256Hex(TOKENS.tender);
    const seeded = (seed: string): Headers => signedIdentity({ broker: 'broker1', tokenHash, seed });
    const [first, again] = [
      await postDocument(running.app, url, seeded('one')),
      await postDocument(running.app, url, seeded('one')),
    ];
    expect(again).toEqual(first);
    const put = async () => sendForm(running.app, 'PUT', `${url}/${first.id}`, seeded('two'));
    expect((await put()).json().data).toEqual((await put()).json().data);
    expect((await get(`${url}?all=1`)).json().data).toHaveLength(2);
  });
});

describe('the list', () => {
  it('is ordered by the moment of the newest version', async () => {
    const { id: tender } = await running.tender();
    const url = `/tenders/${tender}/documents`;
    const first = await postDocument(running.app, url, tenderOwner);
    const second = await postDocument(running.app, url, tenderOwner);
    await sendForm(running.app, 'PUT', `${url}/${first.id}`, tenderOwner);
    const ids = async (query: string): Promise<string[]> =>
      (await get(url + query)).json().data.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('?all=true')).toEqual([first.id, second.id, first.id]);
    expect(await ids('?all=')).toEqual([second.id, first.id]);
  });

  it('is empty, not absent', async () => {
    const { id } = await running.tender();
    expect((await get(`/tenders/${id}/documents`)).json()).toEqual({ data: [] });
  });
});

describe('PATCH', () => {
  it('that changes nothing tells nothing', async () => {
    const { id: tender } = await running.tender();
    const url = `/tenders/${tender}/documents`;
    const document = await postDocument(running.app, url, tenderOwner);
    const before = await running.events(tender);
    const answer = await sendJson(running.app, 'PATCH', `${url}/${document.id}`, tenderOwner, {});
    expect([answer.statusCode, answer.json().data]).toEqual([200, document]);
    expect(await running.events(tender)).toEqual(before);
  });

  it.each([
    [415, tenderOwner, 'text/plain', '{}'],
    [401, anonymous, 'application/json', '{'],
    [403, broker, 'application/json', '{'],
    [422, tenderOwner, 'application/json', '{'],
    [422, tenderOwner, 'application/json', '{"data":{"title":""}'],
    [422, tenderOwner, 'application/json', '{"data":{"title":null}}'],
  ] as const)('%d: in the order of the checks', async (status, caller, type, payload) => {
    const { id: tender } = await running.tender();
    const url = `/tenders/${tender}/documents`;
    const { id } = await postDocument(running.app, url, tenderOwner);
    const headers = { ...caller, 'content-type': type };
    const answer = await running.app.inject({ method: 'PATCH', url: `${url}/${id}`, headers, payload });
    expect(answer.statusCode, answer.body).toBe(status);
  });

  it('403: of what somebody else added', async () => {
    const { id: tender } = await running.tender({ status: 'active.auction' });
    const url = `/tenders/${tender}/documents`;
    const { id } = await postDocument(running.app, url, auction);
    await running.deliverTender(tenderFacts({ id: tender, status: 'active.enquiries', version: 2 }));
    const answer = await sendJson(running.app, 'PATCH', `${url}/${id}`, tenderOwner, { title: 'mine' });
    expect([answer.statusCode, answer.json().errors[0]]).toEqual([
      403,
      { location: 'url', name: 'role', description: 'Can update document only author' },
    ]);
  });
});

describe('documents of a sealed bid', () => {
  async function sealed() {
    const tender = await running.tender({ status: 'active.tendering' });
    const bid = await running.bid(tender.id);
    const url = `/tenders/${tender.id}/bids/${bid.id}/documents`;
    const document = await postDocument(running.app, url, bidOwner, fileForm('secret'));
    return { tender, bid, url, document };
  }
  const strangers: readonly Headers[] = [
    anonymous,
    broker,
    tenderOwner,
    auction,
    signedIdentity({ broker: 'broker2' }),
  ];

  it('are nobody else’s: not in a list, not alone, not as a file, not in an event', async () => {
    const { tender, url, document } = await sealed();
    expect(document.url).toMatch(
      new RegExp(`^https://api\\.example\\.org/api/2\\.5${url}/${document.id}\\?download=[0-9a-f]{32}$`),
    );
    expect(document).not.toHaveProperty('author');
    const download = document.url.slice(document.url.indexOf(url));
    for (const caller of strangers) {
      for (const [path, what] of [
        [url, 'documents'],
        [`${url}/${document.id}`, 'document'],
        [download, 'document'],
      ]) {
        const answer = await get(path ?? '', caller);
        expect(answer.statusCode).toBe(403);
        expect(answer.json().errors[0].description).toBe(
          `Can't view bid ${what} in current (active.tendering) tender status`,
        );
      }
    }
    expect(await running.events(tender.id)).toEqual([]);
  });

  it('are the owner’s, by an address that is good for five minutes', async () => {
    const { url, document } = await sealed();
    const { previousVersions, ...record } = (await get(`${url}/${document.id}`, bidOwner)).json().data;
    expect([record, previousVersions]).toEqual([document, []]);
    const answer = await get(document.url.slice(document.url.indexOf(url)), bidOwner);
    expect(answer.statusCode).toBe(302);
    const location = String(answer.headers.location);
    expect(answer.json()).toBe(location);
    expect(new URL(location).searchParams.get('Expires')).toBe(String(Math.floor(Date.parse(NOW) / 1000) + 300));
    expect(await bytesAt(location)).toBe('secret');
    running.clock.advance(301_000);
    expect(await bytesAt(location)).toContain('Request has expired');
  });

  it('are told to the bids service, which asks', async () => {
    const { tender, bid, document } = await sealed();
    const asked = async (opened: boolean) =>
      sendRequest(running.bus, rpcSubjects.bidDocuments, { id: tender.id, bids: [bid.id, '0'.repeat(32)], opened });
    expect(await asked(false)).toEqual({ kind: 'answer', value: { [bid.id]: [document] } });
    // The owner of bids knows first that they are open.
    const url = expect.stringMatching(/\/get\/[0-9a-f]{32}\?/);
    expect(await asked(true)).toEqual({ kind: 'answer', value: { [bid.id]: [{ ...document, url }] } });
  });

  it('become everybody’s when the bids are opened, by permanent addresses, and are told then', async () => {
    const { tender, url, document } = await sealed();
    await running.deliverBidsOpened(tender.id);
    await running.deliverBidsOpened(tender.id);
    const [shown] = (await get(url)).json().data;
    expect(shown).toMatchObject({ id: document.id, title: document.title });
    expect(await bytesAt(shown.url)).toBe('secret');
    expect(await running.events(tender.id)).toMatchObject([
      { type: 'document.changed', asksForAppliedAck: true, data: { documents: [{ document: shown }] } },
    ]);
  });

  it('stay out of events about other documents of their tender', async () => {
    const { tender } = await sealed();
    await postDocument(running.app, `/tenders/${tender.id}/cancellations/${IDS.cancellation}/documents`, tenderOwner);
    const [event] = await running.events(tender.id);
    expect(event.data.documents).toMatchObject([{ parent: { kind: 'cancellation' } }]);
  });
});

describe('copies that lag', () => {
  it('give no refusal: the owner of the tender is asked once more', async () => {
    const stale = await running.tender({ status: 'draft', complaints: [] });
    const url = `/tenders/${stale.id}/documents`;
    running.ownerTenders.set(stale.id, { ...stale, status: 'active.enquiries', version: 2 });
    expect((await sendForm(running.app, 'POST', url, tenderOwner)).statusCode).toBe(201);
  });

  it('give no 404 of a complaint or a bid that was just made', async () => {
    const stale = await running.tender({ complaints: [], status: 'active.tendering' });
    const complaints = [
      {
        id: IDS.complaint,
        type: 'claim',
        status: 'draft',
        owner: 'broker3',
        ownerTokenHash: sha256Hex(TOKENS.complaint),
      },
    ];
    running.ownerTenders.set(stale.id, { ...stale, complaints, version: 2 });
    const complaint = `/tenders/${stale.id}/complaints/${IDS.complaint}/documents`;
    expect((await sendForm(running.app, 'POST', complaint, complaintOwner)).statusCode).toBe(201);
    const id = 'abcdef'.padEnd(32, '0');
    const early = sendForm(running.app, 'POST', `/tenders/${stale.id}/bids/${id}/documents`, bidOwner);
    await running.bid(stale.id, { id });
    expect((await early).statusCode).toBe(201);
  });
});

describe('the token of a form', () => {
  const token = { disposition: 'name="acc_token"', content: TOKENS.tender };
  const file = { disposition: 'name="file"; filename="a.pdf"', type: 'application/pdf', content: 'a' };
  const caller = signedIdentity({ broker: 'broker1' });

  it.each([
    ['before the file', [token, file], 201],
    ['after the file', [file, token], 403],
    ['absent', [file], 403],
    ['wrong', [{ ...token, content: 'another' }, file], 403],
  ])('%s', async (_title, parts, status) => {
    const { id } = await running.tender();
    const answer = await sendForm(running.app, 'POST', `/tenders/${id}/documents`, caller, formOf(...parts));
    expect(answer.statusCode, answer.body).toBe(status);
  });
});

describe('open guards', () => {
  it('let older segments write and read documents of a bid in enquiries, and never segment 2.5', async () => {
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
