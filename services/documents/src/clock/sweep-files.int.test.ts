import { describe, expect, it } from 'vitest';
import { makeLog } from '@procurement/kit/runtime/log';
import { fileKeyOf } from '../files/file-key.ts';
import { StorageError } from '@procurement/kit/files/file-storage';
import { broker, postDocument, sendForm, sendJson, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';
import { sweep } from './sweep-files.ts';

const running = setupDocuments();

const parseFileId = (address: string): string => /\/(?:get|upload)\/(\w+)/.exec(address)?.[1] ?? '';

/** Backdates a file by so many hours. */
async function age(id: string, hours: number): Promise<void> {
  await running().database.pool.query(
    `UPDATE file SET created_at = now() - make_interval(hours => $2), stored_at = now() - make_interval(hours => $2)
     WHERE id = $1`,
    [id, hours],
  );
}

async function sweepOnce(): Promise<number> {
  return sweep({
    fileRecords: running().deps.fileRecords,
    fileStorage: running().deps.fileStorage,
    log: makeLog('documents', 'fatal'),
  });
}

async function upload(): Promise<{ id: string; data: Record<string, string> }> {
  const { data } = (await sendForm(running().app, 'POST', '/upload', tenderOwner)).json();
  return { id: parseFileId(data.url), data };
}

describe('sweep', () => {
  it('removes unreferenced files, each kind after its time, and no others', async () => {
    const tender = await running().tender();
    const document = await postDocument(running().app, `/tenders/${tender.id}/documents`, tenderOwner);
    const referenced = parseFileId(document.url);
    const [old, young] = [await upload(), await upload()];
    const registered = parseFileId(
      (await sendJson(running().app, 'POST', '/register', broker, { hash: `md5:${'0'.repeat(32)}` })).json().upload_url,
    );
    await running().deps.fileRecords.beginUpload({ id: 'a'.repeat(32), origin: 'api', owner: 'broker1' });
    await age(referenced, 10_000);
    await age(old.id, 30 * 24 + 1);
    await age(young.id, 30 * 24 - 1);
    await age(registered, 7 * 24 + 1);
    await age('a'.repeat(32), 25);

    expect(await sweepOnce()).toBe(3);
    expect(await running().deps.fileStorage.head(fileKeyOf(old.id))).toBeUndefined();
    expect(await running().deps.fileRecords.find(old.id)).toBeUndefined();
    expect(await running().deps.fileRecords.find(registered)).toBeUndefined();
    expect(await running().deps.fileStorage.head(fileKeyOf(young.id))).toBeDefined();
    expect(await running().deps.fileStorage.head(fileKeyOf(referenced))).toBeDefined();
    expect(await sweepOnce()).toBe(0);
  });

  it('never removes a file that a document refers to', async () => {
    const tender = await running().tender();
    const { id, data } = await upload();
    await age(id, 30 * 24 - 1);
    const added = await sendJson(running().app, 'POST', `/tenders/${tender.id}/documents`, tenderOwner, data);
    expect(added.statusCode, added.body).toBe(201);
    await age(id, 10_000);
    expect(await sweepOnce()).toBe(0);
    expect(await running().deps.fileStorage.head(fileKeyOf(id))).toBeDefined();
  });

  it('tries again when the storage could not remove a file', async () => {
    const { id } = await upload();
    await age(id, 10_000);
    const { fileRecords, fileStorage } = running().deps;
    const stuck = {
      ...fileStorage,
      remove: async (): Promise<void> => {
        throw new StorageError('away');
      },
    };
    expect(await sweep({ fileRecords, fileStorage: stuck, log: makeLog('documents', 'fatal') })).toBe(0);
    expect(await sweepOnce()).toBe(1);
    expect(await fileRecords.find(id)).toBeUndefined();
  });
});
