import { signedIdentity } from '@procurement/testing/identity';
import { DOCUMENTS_OF_PARENT_MAX, DOCUMENT_QUOTAS } from '@procurement/contracts/limits';
import { AttachDocumentsResponse } from '@procurement/contracts/events/bid-documents';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { secureIds } from '@procurement/kit/runtime/ids';
import { raced } from '@procurement/testing/racing';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../test-support/events.ts';
import { bidOwner, fileForm, postDocument, sendForm, sendJson, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();

/** Stores copies of a version, as if each had been added. */
async function repeatVersion(documentId: string, count: number): Promise<void> {
  await running().database.pool.query(
    `INSERT INTO document_version (id, document_id, tender_id, parent_kind, parent_id, file_id, record, broker)
     SELECT md5(id || n), document_id, tender_id, parent_kind, parent_id, file_id, record, broker
     FROM document_version, generate_series(1, $2) AS n WHERE id = $1`,
    [documentId, count],
  );
}

async function countVersions(tender: string): Promise<number> {
  const text = 'SELECT count(*)::int AS count FROM document_version WHERE tender_id = $1';
  return (await running().database.pool.query(text, [tender])).rows[0].count;
}

describe('the byte budget of documents (limits.md 7)', () => {
  it('gives the last place of a parent to one of two files that race; another parent has places', async () => {
    const { id } = await running().tender({ status: 'active.tendering' });
    const { id: bid } = await running().bid(id);
    const url = `/tenders/${id}/bids/${bid}/documents`;
    const first = await postDocument(running().app, url, bidOwner);
    await repeatVersion(first.id, DOCUMENTS_OF_PARENT_MAX - 2);
    const racing = await Promise.all(
      ['a', 'b'].map(async (content) => sendForm(running().app, 'POST', url, bidOwner, fileForm(content))),
    );
    expect(raced(racing)).toMatchObject({
      accepted: 1,
      refused: [
        [
          {
            location: 'body',
            name: 'documents',
            description: `No more than ${DOCUMENTS_OF_PARENT_MAX} versions of documents in one place are allowed.`,
          },
        ],
      ],
    });
    expect(await countVersions(id)).toBe(DOCUMENTS_OF_PARENT_MAX);
    const patched = await sendJson(running().app, 'PATCH', `${url}/${first.id}`, bidOwner, { title: 'new' });
    expect(patched.statusCode).toBe(200);
    const { id: other } = await running().bid(id);
    await postDocument(running().app, `/tenders/${id}/bids/${other}/documents`, bidOwner);
  });

  it('refuses documents in the body of a bid beyond the share of its broker: all of them, with their location', async () => {
    const { id: tenderId } = await running().tender({ status: 'active.tendering' });
    const attach = async (owner: string, count: number) => {
      const uploader = signedIdentity({ broker: owner });
      const { url, hash } = (await sendForm(running().app, 'POST', '/upload', uploader, fileForm('x'))).json().data;
      const sent = { title: 'x', format: 'application/pdf', url, hash };
      const documents = Array.from({ length: count }, () => ({ id: secureIds.next(), sent }));
      const command = { id: secureIds.next(), tenderId, owner, at: NOW, documents };
      const response = await sendRequest(running().bus, rpcSubjects.attachDocuments, command);
      if (response.kind === 'unavailable') throw new Error('no reply');
      return { documents, outcome: AttachDocumentsResponse.parse(response.value) };
    };
    const { documents } = await attach('broker2', 1);
    const { versionsMax } = DOCUMENT_QUOTAS.bids.ofBroker;
    await repeatVersion(documents[0]?.id ?? '', versionsMax - 2);
    expect((await attach('broker2', 2)).outcome).toMatchObject({
      refused: { code: 'limit.documents-of-broker', status: 422, errors: [{ location: 'documents' }] },
    });
    expect(await countVersions(tenderId)).toBe(versionsMax - 1);
    expect((await attach('broker2', 1)).outcome).toEqual({ attached: 1 });
    expect((await attach('broker3', 2)).outcome).toEqual({ attached: 2 });
  });

  it('refuses descriptions of megabytes, and lets a stored one be changed in other members', async () => {
    const { id } = await running().tender();
    const url = `/tenders/${id}/documents`;
    const { id: document } = await postDocument(running().app, url, tenderOwner);
    const patch = async (data: unknown) => sendJson(running().app, 'PATCH', `${url}/${document}`, tenderOwner, data);
    const refused = await patch({ description: 'ї'.repeat(1_900_000) });
    expect([refused.statusCode, refused.json().errors]).toMatchObject([
      422,
      [{ location: 'body', name: 'description', description: ['String value is too long.'] }],
    ]);
    await running().database.pool.query(
      `UPDATE document_version SET record = left(record, -1) || ',"description":"' || repeat('a', 400000) || '"}' WHERE id = $1`,
      [document],
    );
    expect((await patch({ title: 'new' })).statusCode).toBe(200);
  });
});
