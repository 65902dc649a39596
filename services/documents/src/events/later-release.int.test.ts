import { transact } from '@procurement/kit/database/transaction';
import { describe, expect, it } from 'vitest';
import { tenderFacts } from '../../test-support/document-facts.ts';
import { buildEvent } from '../../test-support/events.ts';
import { fileForm, sendForm, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';
import { onTenderChanged } from './on-tender-changed.ts';

const running = setupDocuments();

describe('a tender of a later release of the tenders service (docs/rules-for-upgrades.md)', () => {
  it('keeps members that this release does not know', async () => {
    const later = { ...tenderFacts(), guarantee: { amount: 5 } };
    const event = buildEvent('tenders', 'tender.changed', later.id, later);
    await transact(running().database.pool, async (tx) => onTenderChanged(running().deps).apply(tx, [event]));
    const stored = `SELECT facts FROM kit.replica WHERE kind = 'tender' AND id = $1`;
    const { rows } = await running().database.pool.query(stored, [later.id]);
    expect(JSON.parse(rows[0].facts)).toEqual(later);
  });

  it('lets nothing be written in a status that this release does not know, and still shows what is public', async () => {
    const tender = await running().tender({ status: 'active.prequalification' });
    const url = `/tenders/${tender.id}/documents`;
    const refused = await sendForm(running().app, 'POST', url, tenderOwner, fileForm());
    expect([refused.statusCode, refused.json().errors[0].description]).toEqual([
      403,
      "Can't add document in current (active.prequalification) tender status",
    ]);
    expect((await running().app.inject({ url, headers: tenderOwner })).statusCode).toBe(200);
  });
});
