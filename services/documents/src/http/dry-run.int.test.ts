import { tableContents } from '@procurement/testing/table-contents';
import { describe, expect, it } from 'vitest';
import { fileForm, postDocument, readsFrom, sendForm, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const { get } = readsFrom(running);
const contents = async () => tableContents(running().database.pool);

describe('a write of a document with opt_dry_run', () => {
  it('is answered as if done, and stores neither a record nor a file', async () => {
    const { id: tender } = await running().tender();
    const url = `/tenders/${tender}/documents`;
    const stored = await postDocument(running().app, url, tenderOwner);
    const before = await contents();
    const posted = await sendForm(running().app, 'POST', `${url}?opt_dry_run=1`, tenderOwner, fileForm('content'));
    const { id, url: _address, ...shown } = posted.json().data;
    expect([posted.statusCode, shown]).toEqual([
      201,
      expect.objectContaining({
        title: 'notice.pdf',
        format: 'application/pdf',
        hash: expect.stringContaining('md5:'),
      }),
    ]);
    expect(posted.headers.location).toBe(`https://api.example.org/api/2.5${url}/${id}`);
    const put = await sendForm(
      running().app,
      'PUT',
      `${url}/${stored.id}?opt_dry_run=1`,
      tenderOwner,
      fileForm('other'),
    );
    expect([put.statusCode, put.json().data.id]).toEqual([200, stored.id]);
    const patched = await running().app.inject({
      method: 'PATCH',
      url: `${url}/${stored.id}?opt_dry_run=1`,
      headers: { ...tenderOwner, 'content-type': 'application/json' },
      payload: { data: { title: 'інша.pdf' } },
    });
    expect([patched.statusCode, patched.json().data.title]).toEqual([200, 'інша.pdf']);
    expect(await contents()).toEqual(before);
    expect((await get(url)).json().data).toHaveLength(1);
  });
});
