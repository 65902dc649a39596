import { createHash } from 'node:crypto';
import { anonymousIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auction, broker, fileForm, sendForm, sendJson, type Headers } from '../../test-support/requests.ts';
import { startDocuments, type RunningDocuments } from '../../test-support/running-documents.ts';

let running: RunningDocuments;

beforeAll(async () => {
  running = await startDocuments();
});

afterAll(async () => {
  await running.close();
});

const anonymous = anonymousIdentity();
const md5 = (content: string): string => createHash('md5').update(content).digest('hex');

/** An address without its host, which the gateway has taken off. */
function local(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

async function get(url: string, headers: Headers = {}) {
  return running.app.inject({ method: 'GET', url, headers: { ...anonymous, ...headers } });
}

describe('POST /upload', () => {
  it('200: the response that the Python client reads, with the data for a document', async () => {
    const response = await sendForm(
      running.app,
      'POST',
      '/upload',
      auction,
      fileForm('protocol', 'audit.yaml', 'text/yaml'),
    );
    expect(response.statusCode, response.body).toBe(200);
    const { data, get_url: address } = response.json();
    expect(response.headers.location).toBe(address);
    expect(data).toMatchObject({ hash: `md5:${md5('protocol')}`, title: 'audit.yaml', format: 'text/yaml' });
    const { id: tender } = await running.tender({ status: 'active.auction' });
    const url = `/tenders/${tender}/documents`;
    const added = await sendJson(running.app, 'POST', url, auction, data);
    expect([added.statusCode, added.json().data.author]).toEqual([201, 'auction']);
    const second = (await sendForm(running.app, 'POST', '/upload', auction, fileForm('protocol 2'))).json().data;
    const put = await sendJson(running.app, 'PUT', `${url}/${added.json().data.id}`, auction, second);
    expect(put.statusCode, put.body).toBe(200);
    expect((await get(local(put.json().data.url))).body).toBe('protocol 2');
  });

  it('502: with the text of the document service when the storage fails', async () => {
    const folder = running.deps.fileStorage;
    // The parent of the folder is a file.
    Object.assign(running.deps, {
      fileStorage: (await import('../files/folder-storage.ts')).folderStorage('/dev/null/nowhere'),
    });
    const response = await sendForm(running.app, 'POST', '/upload', broker);
    Object.assign(running.deps, { fileStorage: folder });
    expect([response.statusCode, response.json()]).toEqual([
      502,
      { status: 'error', errors: [{ description: 'Upload failed, please try again later' }] },
    ]);
  });
});
