import { anonymousIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postDocument, sendForm, tenderOwner, type Headers } from '../../test-support/requests.ts';
import { startDocuments, type RunningDocuments } from '../../test-support/running-documents.ts';

let running: RunningDocuments;

beforeAll(async () => {
  running = await startDocuments();
});

afterAll(async () => {
  await running.close();
});

const anonymous = anonymousIdentity();

async function get(url: string, headers: Headers = anonymous) {
  return running.app.inject({ method: 'GET', url, headers });
}

describe('GET …/documents', () => {
  it('200: ordered by the newest version of each document', async () => {
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

  it('200: an empty list for a tender without documents', async () => {
    const { id } = await running.tender();
    expect((await get(`/tenders/${id}/documents`)).json()).toEqual({ data: [] });
  });
});
