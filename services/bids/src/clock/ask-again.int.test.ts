import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { askDue } from '@procurement/kit/messaging/request/ask-again';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { makeLog } from '@procurement/kit/runtime/log';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import { postBid } from '../../test-support/bid-requests.ts';
import { tenderEvent } from '../../test-support/running-bids.ts';
import { setupBids } from '../../test-support/setup-bids.ts';
import { onQualificationDue } from '../events/on-qualification-due.ts';
import { askAgain } from './ask-again.ts';

const running = setupBids();
const log = makeLog('bids', 'fatal');

async function ask(): Promise<void> {
  const { pool } = running().database;
  await pool.query('UPDATE kit.flow_wait SET ask_at = now()');
  await askDue({ pool, log, flows: askAgain(running().deps) });
}

const waits = async (): Promise<number> =>
  (await running().database.pool.query('SELECT FROM kit.flow_wait')).rowCount ?? 0;

describe('the opening of bids', () => {
  it('waits until the documents service has made their documents public', async () => {
    const [{ id }, { id: withoutBids }] = [await running().tender(), await running().tender()];
    await postBid(running().app, id);
    const due = (tender: string) =>
      tenderEvent('tender.qualification-due', tender, { at: '2026-05-20T18:00:00+03:00' });
    await running().apply(onQualificationDue(running().deps), [due(id), due(withoutBids)]);
    expect(await waits()).toBe(1);
    await ask();
    expect(await waits(), 'the documents service is away').toBe(1);
    const opened: unknown[] = [];
    respondTo(running().bus, rpcSubjects.openBidDocuments, log, async (request) => {
      opened.push(request);
      return { opened: true };
    });
    // More than once when the answer does not come in time.
    const isOpened = async (): Promise<boolean> => {
      await ask();
      return (await waits()) === 0;
    };
    await waitFor(isOpened, { what: 'the answer of the documents service' });
    expect(opened).not.toEqual([]);
    expect(opened).toEqual(opened.map(() => ({ id })));
  });
});
