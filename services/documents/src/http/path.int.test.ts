import { sha256Hex } from '@procurement/kit/runtime/ids';
import { describe, expect, it } from 'vitest';
import { IDS, TOKENS } from '../../test-support/document-facts.ts';
import { bidOwner, complaintOwner, sendForm, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';

const running = setupDocuments();

describe('copies of tender and bid that lag', () => {
  it('cause no refusal: the tender is requested from its owner first', async () => {
    const stale = await running().tender({ status: 'draft', complaints: [] });
    const url = `/tenders/${stale.id}/documents`;
    running().ownerTenders.set(stale.id, { ...stale, status: 'active.enquiries', version: 2 });
    expect((await sendForm(running().app, 'POST', url, tenderOwner)).statusCode).toBe(201);
  });

  it('cause no 404 of a complaint or a bid that was just created', async () => {
    const stale = await running().tender({ complaints: [], status: 'active.tendering' });
    const complaints = [
      {
        id: IDS.complaint,
        type: 'claim',
        status: 'draft',
        owner: 'broker3',
        ownerTokenHash: sha256Hex(TOKENS.complaint),
      },
    ];
    running().ownerTenders.set(stale.id, { ...stale, complaints, version: 2 });
    const complaint = `/tenders/${stale.id}/complaints/${IDS.complaint}/documents`;
    expect((await sendForm(running().app, 'POST', complaint, complaintOwner)).statusCode).toBe(201);
    const id = 'abcdef'.padEnd(32, '0');
    const early = sendForm(running().app, 'POST', `/tenders/${stale.id}/bids/${id}/documents`, bidOwner);
    await running().bid(stale.id, { id });
    expect((await early).statusCode).toBe(201);
  });
});
