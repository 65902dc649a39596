import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { auction, broker, fileForm, pathOf, readsFrom, sendForm, sendJson } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const { get } = readsFrom(running);

const md5 = (content: string): string => createHash('md5').update(content).digest('hex');

describe('POST /upload', () => {
  it('200: the response that the Python client reads, with the data for a document', async () => {
    const response = await sendForm(
      running().app,
      'POST',
      '/upload',
      auction,
      fileForm('protocol', 'audit.yaml', 'text/yaml'),
    );
    expect(response.statusCode, response.body).toBe(200);
    const { data, get_url: address } = response.json();
    expect(response.headers.location).toBe(address);
    expect(data).toMatchObject({ hash: `md5:${md5('protocol')}`, title: 'audit.yaml', format: 'text/yaml' });
    const { id: tender } = await running().tender({ status: 'active.auction' });
    const url = `/tenders/${tender}/documents`;
    const added = await sendJson(running().app, 'POST', url, auction, data);
    expect([added.statusCode, added.json().data.author]).toEqual([201, 'auction']);
    const second = (await sendForm(running().app, 'POST', '/upload', auction, fileForm('protocol 2'))).json().data;
    const put = await sendJson(running().app, 'PUT', `${url}/${added.json().data.id}`, auction, second);
    expect(put.statusCode, put.body).toBe(200);
    expect((await get(pathOf(put.json().data.url))).body).toBe('protocol 2');
  });

  it('502: with the text of the document service when the storage fails', async () => {
    const folder = running().deps.fileStorage;
    // The parent of the folder is a file.
    Object.assign(running().deps, {
      fileStorage: (await import('@procurement/kit/files/folder-storage')).folderStorage('/dev/null/nowhere'),
    });
    const response = await sendForm(running().app, 'POST', '/upload', broker);
    Object.assign(running().deps, { fileStorage: folder });
    expect([response.statusCode, response.json()]).toEqual([
      502,
      { status: 'error', errors: [{ description: 'Upload failed, please try again later' }] },
    ]);
  });
});
