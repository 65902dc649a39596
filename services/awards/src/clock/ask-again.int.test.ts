import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { askDue } from '@procurement/kit/messaging/request/ask-again';
import { makeLog } from '@procurement/kit/runtime/log';
import { describe, expect, it } from 'vitest';
import { createQualification } from '../../test-support/awarding-fixtures.ts';
import { event, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { onTenderChanged } from '../events/on-tender-changed.ts';
import { askAgain } from './ask-again.ts';

const running = setupAwards({ SANDBOX_MODE: 'on' });

/** Loses every event so far, then lets the time to ask again come. Returns what is published then. */
async function askAgainAfterLoss(tenderId: string): Promise<readonly any[]> {
  const { pool } = running().database;
  await pool.query('TRUNCATE kit.outbox');
  await pool.query('UPDATE kit.flow_wait SET ask_at = now()');
  const flows = askAgain({ ...running().deps, pool, outbox: running().outbox, clock: running().clock });
  await askDue({ pool, log: makeLog('awards', 'fatal'), flows });
  return running().publishedEvents(tenderId);
}

async function deliver(tender: TenderFacts): Promise<void> {
  const changed = event('tenders', 'tender.changed', tender.id, tender, tender.version);
  await running().apply(onTenderChanged(running().deps), [changed]);
}

const waits = async (tenderId: string): Promise<number> =>
  (await running().database.pool.query('SELECT FROM kit.flow_wait WHERE id = $1', [tenderId])).rowCount ?? 0;

describe('awards', () => {
  it('are published again at their version until the tenders service has applied them', async () => {
    const { tender, award } = await createQualification(running());
    const before = running().changeAtOwner(tender, { awardsVersion: 0 });
    expect(await askAgainAfterLoss(tender.id)).toMatchObject([
      { type: 'award.changed', data: { id: tender.id, version: 1, awards: [{ status: 'pending' }] } },
    ]);
    await send(running().app, 'PATCH', award, ownerHeaders, { status: 'unsuccessful' });
    await deliver(running().changeAtOwner(before, { awardsVersion: 1 }));
    expect(await waits(tender.id), 'version 2 is not applied').toBe(1);
    expect(await askAgainAfterLoss(tender.id)).toMatchObject([{ data: { version: 2 } }]);
    await deliver(running().changeAtOwner(before, { version: 9, awardsVersion: 2 }));
    expect(await waits(tender.id)).toBe(0);
  });

  it('are not published again when only the event of the tenders service was lost', async () => {
    const { tender } = await createQualification(running());
    running().changeAtOwner(tender, { awardsVersion: 1 });
    expect(await askAgainAfterLoss(tender.id)).toEqual([]);
    expect(await waits(tender.id)).toBe(0);
  });
});
