import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { makeLog } from '@procurement/kit/runtime/log';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { startScheduler } from '@procurement/kit/service/scheduler';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import { createComplaint, storedAwards } from '../../test-support/awarding-fixtures.ts';
import { event } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { nextDue } from '../store/load-awardings.ts';
import { onTenderChanged } from './on-tender-changed.ts';

const running = setupAwards({ SANDBOX_MODE: 'on' });

const applyTenderChanged = async (tender: TenderFacts) =>
  running().apply(onTenderChanged(running().deps), [
    event('tenders', 'tender.changed', tender.id, tender, tender.version),
  ]);

async function storedDueAt(tenderId: string): Promise<string | null> {
  const { rows } = await running().database.pool.query('SELECT due_at FROM awarding WHERE tender_id = $1', [tenderId]);
  return rows[0]?.due_at ?? null;
}

describe('tender.changed', () => {
  it('with another clock shift moves the deadlines of its awards', async () => {
    const { tender } = await createComplaint(running());
    const dueAt = BigInt((await storedDueAt(tender.id)) ?? 0);
    const changed = running().changeAtOwner(tender, { clockShift: 3_600_000_000 });
    await applyTenderChanged(changed);
    expect(dueAt - BigInt((await storedDueAt(tender.id)) ?? 0)).toBe(3_600_000_000n);
  });

  it('that arrives late does not move deadlines back to older facts', async () => {
    const { tender } = await createComplaint(running());
    await applyTenderChanged(running().changeAtOwner(tender, { clockShift: 3_600_000_000 }));
    const dueAt = await storedDueAt(tender.id);
    await applyTenderChanged(tender);
    expect(await storedDueAt(tender.id)).toBe(dueAt);
  });

  it('with a final status removes the deadlines of its awards', async () => {
    const { tender } = await createComplaint(running());
    expect(await storedDueAt(tender.id)).not.toBeNull();
    await applyTenderChanged(running().changeAtOwner(tender, { status: 'cancelled' }));
    expect(await storedDueAt(tender.id)).toBeNull();
  });

  it('stores no deadline for a tender without awards', async () => {
    const tender = await running().addTender();
    await applyTenderChanged(running().changeAtOwner(tender, { status: 'cancelled' }));
    expect(await storedDueAt(tender.id)).toBeNull();
  });

  it('with a clock shift past a deadline makes the scheduler act without a wake-up call', async () => {
    const { tender } = await createComplaint(running());
    const scheduler = startScheduler({
      runDue: async (max) => running().deps.externalInputs.runDue(max),
      nextDue: async () => nextDue(running().database.pool),
      clock: running().clock,
      log: makeLog('awards', 'fatal'),
      metrics: makeMetrics('awards'),
    });
    try {
      await applyTenderChanged(running().changeAtOwner(tender, { clockShift: 3 * 86_400_000_000 }));
      const complaint = async () => (await storedAwards(running(), tender.id))[0]?.complaints?.[0];
      await waitFor(async () => (await complaint())?.status === 'pending', { what: 'the escalation' });
      expect(await complaint()).toMatchObject({ type: 'complaint' });
    } finally {
      await scheduler.stop();
    }
  });
});
