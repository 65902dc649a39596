import { AttachDocumentsResponse, type AttachDocumentsRequest } from '@procurement/contracts/events/bid-documents';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request';
import { secureIds } from '@procurement/kit/runtime/ids';
import { anonymousIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW } from '../../test-support/events.ts';
import { bidOwner, broker, fileForm, sendForm } from '../../test-support/requests.ts';
import { startDocuments, type RunningDocuments } from '../../test-support/running-documents.ts';

let running: RunningDocuments;

beforeAll(async () => {
  running = await startDocuments();
});

afterAll(async () => {
  await running.close();
});

/** A file at the document service, as a broker registers it. */
async function upload(title: string): Promise<Record<string, unknown>> {
  const { url, hash } = (await sendForm(running.app, 'POST', '/upload', broker, fileForm(title))).json().data;
  return { title, format: 'application/pdf', url, hash };
}

async function attach(command: AttachDocumentsRequest): Promise<AttachDocumentsResponse> {
  const response = await sendRequest(running.bus, rpcSubjects.attachDocuments, command);
  if (response.kind === 'unavailable') throw new Error('nobody answered');
  return AttachDocumentsResponse.parse(response.value);
}

async function attachCommand(tenderId: string, ...sent: Record<string, unknown>[]): Promise<AttachDocumentsRequest> {
  const documents = sent.map((one) => ({ id: secureIds.next(), sent: one }));
  return { id: secureIds.next(), tenderId, at: NOW, documents };
}

async function listBidDocuments(command: AttachDocumentsRequest, headers: Readonly<Record<string, string>> = bidOwner) {
  const url = `/tenders/${command.tenderId}/bids/${command.id}/documents`;
  return running.app.inject({ method: 'GET', url, headers });
}

describe('documents that come in the body of a bid', () => {
  it('are there with the bid, sealed as its others, and public with it', async () => {
    const { id: tender } = await running.tender({ status: 'active.tendering' });
    const wish = await attachCommand(tender, await upload('перша.pdf'), await upload('друга.pdf'));
    expect(await attach(wish)).toEqual({ attached: 2 });
    // Before the bid is there, nobody finds them, and nothing is told of them.
    expect((await listBidDocuments(wish)).statusCode).toBe(404);
    await running.bid(tender, { id: wish.id });
    const { data } = (await listBidDocuments(wish)).json();
    expect(data).toMatchObject(
      wish.documents.map(({ id, sent }) => ({
        id,
        title: sent['title'],
        hash: sent['hash'],
        documentOf: 'tender',
        datePublished: NOW,
        dateModified: NOW,
        url: expect.stringContaining(`/bids/${wish.id}/documents/${id}?download=`),
      })),
    );
    expect((await listBidDocuments(wish, anonymousIdentity())).statusCode).toBe(403);
    expect(await running.events(tender)).toEqual([]);
    await running.deliverBidsOpened(tender);
    const told = (await running.events(tender)).at(-1);
    expect(told.data.documents.map((one: { document: { id: string } }) => one.document.id)).toEqual(
      wish.documents.map(({ id }) => id),
    );
  });

  it('are kept once, however often they are told', async () => {
    const { id: tender } = await running.tender({ status: 'active.tendering' });
    const wish = await attachCommand(tender, await upload('a.pdf'));
    expect([await attach(wish), await attach(wish)]).toEqual([{ attached: 1 }, { attached: 1 }]);
    await running.bid(tender, { id: wish.id });
    expect((await listBidDocuments(wish)).json().data).toHaveLength(1);
  });

  it.each([
    [403, { url: 'https://evil.example.org/get/0' }, 'url', 'Can add document only from document service.'],
    [422, { hash: undefined }, 'hash', 'This field is required.'],
    [422, { hash: `md5:${'0'.repeat(32)}` }, 'url', 'Document url invalid.'],
    [422, { format: 'pdf' }, 'format', ['String value did not match validation regex.']],
  ])('%d: all or none (%j)', async (status, more, name, description) => {
    const { id: tender } = await running.tender({ status: 'active.tendering' });
    const wish = await attachCommand(tender, await upload('good.pdf'), { ...(await upload('bad.pdf')), ...more });
    const errors = [{ location: 'documents', name, description }];
    expect(await attach(wish)).toMatchObject({ refused: { status, errors } });
    await running.bid(tender, { id: wish.id });
    expect((await listBidDocuments(wish)).json().data).toEqual([]);
  });

  it('422: a file that was cleaned away takes the others with it', async () => {
    const { id: tender } = await running.tender({ status: 'active.tendering' });
    const wish = await attachCommand(tender, await upload('good.pdf'), await upload('gone.pdf'));
    const [good, gone] = wish.documents.map(({ sent }) => /get\/(\w+)/.exec(String(sent['url']))?.[1]);
    await running.database.pool.query(`UPDATE file SET state = 'dropped' WHERE id = $1`, [gone]);
    expect(await attach(wish)).toMatchObject({ refused: { code: 'document.url-invalid' } });
    const { rows } = await running.database.pool.query('SELECT referenced FROM file WHERE id = $1', [good]);
    expect(rows).toEqual([{ referenced: false }]);
  });
});
