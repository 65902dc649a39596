import { askDue } from '@procurement/kit/messaging/request/ask-again';
import { makeLog } from '@procurement/kit/runtime/log';
import { describe, expect, it } from 'vitest';
import { fileForm, sendForm, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';
import { askAgain } from './ask-again.ts';

const running = setupDocuments();

/** Loses every event so far, then lets the time to ask again come. Returns what is published then. */
async function askAgainAfterLoss(tenderId: string): Promise<readonly any[]> {
  const { pool } = running().database;
  await pool.query('TRUNCATE kit.outbox');
  await pool.query('UPDATE kit.flow_wait SET ask_at = now()');
  await askDue({ pool, log: makeLog('documents', 'fatal'), flows: askAgain(running().deps) });
  return running().events(tenderId);
}

const waits = async (): Promise<number> =>
  (await running().database.pool.query('SELECT FROM kit.flow_wait')).rowCount ?? 0;

describe('public documents', () => {
  it('are published again, as a newer version, until the tenders service has applied it', async () => {
    const tender = await running().tender({ documentsVersion: 0 });
    await sendForm(running().app, 'POST', `/tenders/${tender.id}/documents`, tenderOwner, fileForm());
    for (const version of [2, 3]) {
      expect(await askAgainAfterLoss(tender.id)).toMatchObject([
        {
          type: 'document.changed',
          data: { id: tender.id, version, documents: [{ document: { title: 'notice.pdf' } }] },
        },
      ]);
    }
    await running().deliverTender({ ...tender, version: 8, documentsVersion: 2 });
    expect(await waits(), 'version 3 is not applied').toBe(1);
    await running().deliverTender({ ...tender, version: 9, documentsVersion: 3 });
    expect(await waits()).toBe(0);
  });

  it('are not published again when only the event of the tenders service was lost', async () => {
    const tender = await running().tender({ documentsVersion: 0 });
    await sendForm(running().app, 'POST', `/tenders/${tender.id}/documents`, tenderOwner, fileForm());
    running().ownerTenders.set(tender.id, { ...tender, version: 9, documentsVersion: 1 });
    expect(await askAgainAfterLoss(tender.id)).toEqual([]);
    expect(await waits()).toBe(0);
  });
});
