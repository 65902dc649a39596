import { describe, expect, it } from 'vitest';
import { anonymous, fileForm, pathOf, postDocument, readsFrom, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const { get } = readsFrom(running);

describe('GET /get/{doc_id}', () => {
  async function stored(): Promise<string> {
    const { id } = await running().tender();
    const form = fileForm('0123456789', 'a.html', 'text/html');
    return pathOf((await postDocument(running().app, `/tenders/${id}/documents`, tenderOwner, form)).url);
  }

  it('200: headers prevent display in a browser', async () => {
    const { headers } = await get(await stored());
    expect(headers).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': 'attachment; filename=a.html',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
      'accept-ranges': 'bytes',
    });
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=8-', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
  ])('%s', async (range, status, body, contentRange) => {
    const response = await get(await stored(), { range });
    expect([response.statusCode, response.body, response.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ]);
    expect(response.headers['content-length']).toBe(String(body.length));
  });

  it('200: HEAD has the same headers without the bytes', async () => {
    const response = await running().app.inject({ method: 'HEAD', url: await stored(), headers: anonymous });
    expect([response.statusCode, response.headers['content-length'], response.body]).toEqual([200, '10', '']);
  });

  it('404: an unknown file with a valid address', async () => {
    const response = await get(pathOf(running().deps.signedUrls.permanent('0'.repeat(32))));
    expect([response.statusCode, response.json().errors[0].name]).toEqual([404, 'doc_id']);
  });

  it('502: a file missing in the storage, with the usual error body', async () => {
    const url = await stored();
    await running().deps.fileStorage.remove(`files/${url.slice(5, 7)}/${url.slice(5, 37)}`);
    const response = await get(url);
    expect([response.statusCode, response.headers['content-type'], response.headers['cache-control']]).toEqual([
      502,
      'application/json; charset=UTF-8',
      undefined,
    ]);
  });
});
