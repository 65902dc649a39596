import { sha256Hex } from '@procurement/kit/runtime/ids';
import { auditedHashes } from '@procurement/testing/audit';
import { signedIdentity } from '@procurement/testing/identity';
import { describe, expect, it } from 'vitest';
import { tenderFacts } from '../../test-support/document-facts.ts';
import { anonymous, auction, broker, postDocument, sendJson, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();
const bot = signedIdentity({ broker: 'bot', group: 'bots' });

describe('PATCH …/documents/{document_id}', () => {
  it('200: publishes nothing when nothing changed', async () => {
    const { id: tender } = await running().tender();
    const url = `/tenders/${tender}/documents`;
    const document = await postDocument(running().app, url, tenderOwner);
    const before = await running().events(tender);
    const response = await sendJson(running().app, 'PATCH', `${url}/${document.id}`, tenderOwner, {});
    expect([response.statusCode, response.json().data]).toEqual([200, document]);
    expect(await running().events(tender)).toEqual(before);
  });

  it('names in Ignored-Members what had no effect, and a strict request changes nothing instead', async () => {
    const { id: tender } = await running().tender();
    const url = `/tenders/${tender}/documents`;
    const document = await postDocument(running().app, url, tenderOwner);
    const change = { title: 'b', hash: 'md5:00000000000000000000000000000000', url: 'https://elsewhere.example.org/x' };
    const strict = { ...tenderOwner, prefer: 'handling=strict' };
    const path = `${url}/${document.id}`;
    const refused = await sendJson(running().app, 'PATCH', path, strict, change);
    expect([refused.statusCode, refused.json().errors]).toMatchObject([
      403,
      [{ pointer: '/data/hash' }, { pointer: '/data/url' }],
    ]);
    const atOtherHost = document.url.replace(/^https?:..[^/]+/, 'http://127.0.0.1:8080');
    const same = await sendJson(running().app, 'PATCH', path, strict, { ...document, url: atOtherHost, title: 'c' });
    expect([same.statusCode, same.json().data.title]).toEqual([200, 'c']);
    const answer = await sendJson(running().app, 'PATCH', path, tenderOwner, change);
    expect([answer.statusCode, answer.headers['ignored-members']]).toEqual([200, '/hash, /url']);
  });

  it.each([
    [415, tenderOwner, 'text/plain', '{}'],
    [401, anonymous, 'application/json', '{'],
    [403, broker, 'application/json', '{'],
    [422, tenderOwner, 'application/json', '{'],
    [422, tenderOwner, 'application/json', '{"data":{"title":""}'],
    [422, tenderOwner, 'application/json', '{"data":{"title":null}}'],
  ] as const)('%d: in the order of http.md 0.2', async (status, caller, type, payload) => {
    const { id: tender } = await running().tender();
    const url = `/tenders/${tender}/documents`;
    const { id } = await postDocument(running().app, url, tenderOwner);
    const headers = { ...caller, 'content-type': type };
    const response = await running().app.inject({ method: 'PATCH', url: `${url}/${id}`, headers, payload });
    expect(response.statusCode, response.body).toBe(status);
  });

  it('is recorded for privileged callers, with hashes of the record before and after', async () => {
    const { id: tender } = await running().tender();
    const { pool } = running().database;
    const url = `/tenders/${tender}/documents`;
    await postDocument(running().app, url, tenderOwner);
    const { id } = await postDocument(running().app, url, bot);
    const storedHash = async (): Promise<string> => {
      const { rows } = await pool.query('SELECT record FROM document_version WHERE id = $1', [id]);
      return sha256Hex(rows[0].record);
    };
    const added = await storedHash();
    await sendJson(running().app, 'PATCH', `${url}/${id}`, bot, { title: 'other' });
    await sendJson(running().app, 'PATCH', `${url}/${id}`, auction, { title: 'mine' });
    expect(await auditedHashes(pool, tender)).toEqual([
      { what: 'bots POST changed ', beforeHash: null, afterHash: added },
      { what: 'bots PATCH changed ', beforeHash: added, afterHash: await storedHash() },
      { what: 'auction PATCH refused 403', beforeHash: null, afterHash: null },
    ]);
  });

  it('403: a document that another role added', async () => {
    const { id: tender } = await running().tender({ status: 'active.auction' });
    const url = `/tenders/${tender}/documents`;
    const { id } = await postDocument(running().app, url, auction);
    await running().deliverTender(tenderFacts({ id: tender, status: 'active.enquiries', version: 2 }));
    const response = await sendJson(running().app, 'PATCH', `${url}/${id}`, tenderOwner, { title: 'mine' });
    expect([response.statusCode, response.json().errors[0]]).toMatchObject([
      403,
      { location: 'url', name: 'role', description: 'Can update document only author' },
    ]);
  });
});
