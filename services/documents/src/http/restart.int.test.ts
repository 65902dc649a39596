import { decided } from '@procurement/testing/decided';
import { describe, expect, it } from 'vitest';
import {
  anonymous,
  broker,
  fileForm,
  pathOf,
  postDocument,
  sendForm,
  sendJson,
  tenderOwner,
} from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();

describe('a restarted service', () => {
  it('keeps records, versions, files and addresses', async () => {
    const { id } = await running().tender();
    const url = `/tenders/${id}/documents`;
    const first = await postDocument(running().app, url, tenderOwner, fileForm('one'));
    await sendForm(running().app, 'PUT', `${url}/${first.id}`, tenderOwner, fileForm('two'));
    const before = await running().app.inject({ method: 'GET', url: `${url}/${first.id}`, headers: anonymous });
    const app = running().restart();
    const after = await app.inject({ method: 'GET', url: `${url}/${first.id}`, headers: anonymous });
    expect(after.body).toBe(before.body);
    const { data } = after.json();
    expect((await app.inject({ method: 'GET', url: pathOf(data.url), headers: anonymous })).body).toBe('two');
    expect((await app.inject({ method: 'GET', url: pathOf(first.url), headers: anonymous })).body).toBe('one');
  });

  it('accepts a second attempt at an upload that died with its process, and none while it is running', async () => {
    const hash = 'md5:9a0364b9e99bb480dd25e1f0284c8555';
    const { upload_url: upload } = (await sendJson(running().app, 'POST', '/register', broker, { hash })).json();
    const id = /upload\/(\w+)/.exec(upload)?.[1] ?? '';
    await running().deps.fileRecords.claimUpload(id);
    const app = running().restart();
    const send = async () => sendForm(app, 'POST', pathOf(upload), broker, fileForm('content'));
    expect((await send()).statusCode).toBe(403);
    await running().database.pool.query(`UPDATE file SET claimed_at = now() - interval '16 minutes' WHERE id = $1`, [
      id,
    ]);
    await running().deps.fileRecords.touchUpload(id);
    expect((await send()).statusCode).toBe(403);
    await running().database.pool.query(`UPDATE file SET claimed_at = now() - interval '16 minutes' WHERE id = $1`, [
      id,
    ]);
    expect((await send()).statusCode).toBe(200);
  });
});

describe('two processes', () => {
  it('add versions of one document one after the other without losing one', async () => {
    const { id } = await running().tender();
    const url = `/tenders/${id}/documents`;
    const { id: document } = await postDocument(running().app, url, tenderOwner);
    const apps = [running().app, running().restart()];
    const responses = await Promise.all(
      Array.from({ length: 8 }, async (_none, n) =>
        decided(async () =>
          sendForm(apps[n % 2] ?? running().app, 'PUT', `${url}/${document}`, tenderOwner, fileForm(`${n}`)),
        ),
      ),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200));
    const all = await running().app.inject({ method: 'GET', url: `${url}?all=1`, headers: anonymous });
    expect(all.json().data).toHaveLength(9);
    const versions = (await running().events(id)).map(({ data }) => data.version);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});
