import { AttachDocumentsResponse, type AttachDocumentsRequest } from '@procurement/contracts/events/bid-documents';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { secureIds } from '@procurement/kit/runtime/ids';
import { anonymousIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../test-support/events.ts';
import { bidOwner, broker, fileForm, sendForm } from '../../test-support/requests.ts';
import { respondOpenBidDocuments } from './respond-open-bid-documents.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();

/** A file at the document service, as a broker registers it. */
async function upload(title: string): Promise<Record<string, unknown>> {
  const { url, hash } = (await sendForm(running().app, 'POST', '/upload', broker, fileForm(title))).json().data;
  return { title, format: 'application/pdf', url, hash };
}

async function attach(command: AttachDocumentsRequest): Promise<AttachDocumentsResponse> {
  const response = await sendRequest(running().bus, rpcSubjects.attachDocuments, command);
  if (response.kind === 'unavailable') throw new Error('no reply');
  return AttachDocumentsResponse.parse(response.value);
}

async function attachCommand(tenderId: string, ...sent: Record<string, unknown>[]): Promise<AttachDocumentsRequest> {
  const documents = sent.map((one) => ({ id: secureIds.next(), sent: one }));
  return { id: secureIds.next(), tenderId, owner: 'broker9', at: NOW, documents };
}

async function listBidDocuments(command: AttachDocumentsRequest, headers: Readonly<Record<string, string>> = bidOwner) {
  const url = `/tenders/${command.tenderId}/bids/${command.id}/documents`;
  return running().app.inject({ method: 'GET', url, headers });
}

describe('ask.documents.open', () => {
  it('makes the documents of opened bids public once, when bid.opened was lost', async () => {
    const { id: tender } = await running().tender({ status: 'active.auction' });
    const command = await attachCommand(tender, await upload('перша.pdf'));
    await attach(command);
    await running().bid(tender, { id: command.id });
    for (let n = 0; n < 2; n += 1)
      expect(await respondOpenBidDocuments(running().deps)({ id: tender })).toEqual({ opened: true });
    const events = await running().events(tender);
    expect(events).toMatchObject([{ type: 'document.changed', data: { documents: [{ parent: { id: command.id } }] } }]);
  });

  it('makes no document public while the tender takes bids, whatever the requester says', async () => {
    const { id: tender } = await running().tender({ status: 'active.tendering' });
    const command = await attachCommand(tender, await upload('перша.pdf'));
    await attach(command);
    await running().bid(tender, { id: command.id });
    await expect(respondOpenBidDocuments(running().deps)({ id: tender })).rejects.toThrow('the bidding has not ended');
    expect((await listBidDocuments(command, anonymousIdentity())).statusCode).toBe(403);
    expect(await running().events(tender)).toEqual([]);
  });
});

describe('ask.documents.attach', () => {
  it('refuses a file that another broker than that of the bid registered', async () => {
    const { id: tender } = await running().tender({ status: 'active.tendering' });
    const command = await attachCommand(tender, await upload('a.pdf'));
    const refused = await attach({ ...command, owner: 'broker2' });
    expect(refused).toMatchObject({
      refused: { status: 422, errors: [{ location: 'documents', name: 'url', description: 'Document url invalid.' }] },
    });
    expect(await attach({ ...command, owner: 'broker9' })).toEqual({ attached: 1 });
  });

  it('stores documents that are shown with the bid, sealed until it is opened', async () => {
    const { id: tender } = await running().tender({ status: 'active.tendering' });
    const command = await attachCommand(tender, await upload('перша.pdf'), await upload('друга.pdf'));
    expect(await attach(command)).toEqual({ attached: 2 });
    // Before the bid exists, no request finds them and no event is published.
    expect((await listBidDocuments(command)).statusCode).toBe(404);
    await running().bid(tender, { id: command.id });
    const { data } = (await listBidDocuments(command)).json();
    expect(data).toMatchObject(
      command.documents.map(({ id, sent }) => ({
        id,
        title: sent['title'],
        hash: sent['hash'],
        documentOf: 'tender',
        datePublished: NOW,
        dateModified: NOW,
        url: expect.stringContaining(`/bids/${command.id}/documents/${id}?download=`),
      })),
    );
    expect((await listBidDocuments(command, anonymousIdentity())).statusCode).toBe(403);
    expect(await running().events(tender)).toEqual([]);
    await running().deliverBidsOpened(tender);
    const event = (await running().events(tender)).at(-1);
    expect(event.data.documents.map((one: { document: { id: string } }) => one.document.id)).toEqual(
      command.documents.map(({ id }) => id),
    );
  });

  it('stores repeated documents once', async () => {
    const { id: tender } = await running().tender({ status: 'active.tendering' });
    const command = await attachCommand(tender, await upload('a.pdf'));
    expect([await attach(command), await attach(command)]).toEqual([{ attached: 1 }, { attached: 1 }]);
    await running().bid(tender, { id: command.id });
    expect((await listBidDocuments(command)).json().data).toHaveLength(1);
  });

  it.each([
    [403, { url: 'https://evil.example.org/get/0' }, 'url', 'Can add document only from document service.'],
    [422, { hash: undefined }, 'hash', 'This field is required.'],
    [422, { hash: `md5:${'0'.repeat(32)}` }, 'url', 'Document url invalid.'],
    [422, { format: 'pdf' }, 'format', ['String value did not match validation regex.']],
  ])('%d: stores all documents or none (%j)', async (status, more, name, description) => {
    const { id: tender } = await running().tender({ status: 'active.tendering' });
    const command = await attachCommand(tender, await upload('good.pdf'), { ...(await upload('bad.pdf')), ...more });
    const errors = [{ location: 'documents', name, description }];
    expect(await attach(command)).toMatchObject({ refused: { status, errors } });
    await running().bid(tender, { id: command.id });
    expect((await listBidDocuments(command)).json().data).toEqual([]);
  });

  it('422: stores none when a file was removed', async () => {
    const { id: tender } = await running().tender({ status: 'active.tendering' });
    const command = await attachCommand(tender, await upload('good.pdf'), await upload('removed.pdf'));
    const [good, removed] = command.documents.map(({ sent }) => /get\/(\w+)/.exec(String(sent['url']))?.[1]);
    await running().database.pool.query(`UPDATE file SET state = 'dropped' WHERE id = $1`, [removed]);
    expect(await attach(command)).toMatchObject({ refused: { code: 'document.url-invalid' } });
    const { rows } = await running().database.pool.query('SELECT referenced FROM file WHERE id = $1', [good]);
    expect(rows).toEqual([{ referenced: false }]);
  });
});
