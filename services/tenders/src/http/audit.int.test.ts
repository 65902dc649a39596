import { auditedHashes } from '@procurement/testing/audit';
import { signedIdentity } from '@procurement/testing/identity';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { validTender } from '../../test-support/valid-tender.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);
const root = signedIdentity({ broker: 'root', group: 'Administrator' });
const admins = signedIdentity({ broker: 'admin', group: 'admins' });

beforeAll(async () => {
  running = await runningTenders();
});
afterAll(async () => {
  await running.close();
});

async function storedHash(id: string): Promise<string> {
  const { rows } = await running.database.pool.query('SELECT document FROM tender WHERE id = $1', [id]);
  return sha256Hex(rows[0].document);
}

describe('the audit log of tenders', () => {
  it('has hashes of the stored tender before and after', async () => {
    const { id, owner } = await created();
    await send('PATCH', `/tenders/${id}`, owner, { title: 'Інша' });
    const before = await storedHash(id);
    const procuringEntity = { name: 'Виправлена' };
    const answer = await send('PATCH', `/tenders/${id}`, root, { procuringEntity });
    expect([answer.statusCode, answer.json().data.procuringEntity.name]).toEqual([200, 'Виправлена']);
    const after = await storedHash(id);
    await send('PATCH', `/tenders/${id}`, root, {});
    const cancelled = await send('POST', `/tenders/${id}/cancellations`, admins, { reason: 'x', status: 'active' });
    expect(cancelled.statusCode).toBe(201);
    expect(await auditedHashes(running.database.pool, id)).toEqual([
      { what: 'Administrator PATCH changed ', beforeHash: before, afterHash: after },
      { what: 'Administrator PATCH answered 200', beforeHash: null, afterHash: null },
      { what: 'admins POST changed ', beforeHash: after, afterHash: await storedHash(id) },
    ]);
  });

  it('has tenders that admins create', async () => {
    const answer = await send('POST', '/tenders', admins, validTender());
    expect(answer.statusCode, answer.body).toBe(201);
    const { id } = answer.json().data;
    expect(await auditedHashes(running.database.pool, id)).toEqual([
      { what: 'admins POST changed ', beforeHash: null, afterHash: await storedHash(id) },
    ]);
  });
});
