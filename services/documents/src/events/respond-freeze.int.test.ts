import { decided } from '@procurement/testing/decided';
import { freezeTender } from '@procurement/testing/frozen-tender';
import { describe, expect, it } from 'vitest';
import { fileForm, sendForm, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';
import { respondFreeze } from './respond-freeze.ts';

const running = setupDocuments();
const freeze = async (id: string) => freezeTender(respondFreeze(running().deps), id);
const post = async (id: string) =>
  sendForm(running().app, 'POST', `/tenders/${id}/documents`, tenderOwner, fileForm('content'));

describe('ask.documents.freeze (architecture.md, handshake 3)', () => {
  it('503 with Retry-After: no document is added while the tender is frozen', async () => {
    const { id } = await running().tender();
    const frozen = await freeze(id);
    const refused = await post(id);
    expect([refused.statusCode, refused.headers['retry-after'], await running().events(id)]).toEqual([503, '1', []]);
    await frozen.lift(1);
    expect((await post(id)).statusCode).toBe(201);
  });

  it('403: a document that waited is judged by the cancelled tender, although the copy is stale', async () => {
    const tender = await running().tender();
    const frozen = await freeze(tender.id);
    const posted = decided(async () => post(tender.id));
    running().ownerTenders.set(tender.id, { ...tender, version: 2, status: 'cancelled' });
    await frozen.lift(2);
    expect((await posted).statusCode).toBe(403);
  });
});
