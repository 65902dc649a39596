import { describe, expect, it } from 'vitest';
import { postDocument, readsFrom, sendForm, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const { get } = readsFrom(running);

describe('GET …/documents', () => {
  it('200: ordered by the newest version of each document', async () => {
    const { id: tender } = await running().tender();
    const url = `/tenders/${tender}/documents`;
    const first = await postDocument(running().app, url, tenderOwner);
    const second = await postDocument(running().app, url, tenderOwner);
    await sendForm(running().app, 'PUT', `${url}/${first.id}`, tenderOwner);
    const ids = async (query: string): Promise<string[]> =>
      (await get(url + query)).json().data.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([second.id, first.id]);
    expect(await ids('?all=true')).toEqual([first.id, second.id, first.id]);
    expect(await ids('?all=')).toEqual([second.id, first.id]);
  });

  it('200: an empty list for a tender without documents', async () => {
    const { id } = await running().tender();
    expect((await get(`/tenders/${id}/documents`)).json()).toEqual({ data: [] });
  });
});
