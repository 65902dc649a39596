import { readyPort } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilTender } from '../e2e/stories/wait-for-tender.ts';
import { patientBroker, broker, until, type Broker, type Json } from '../support/broker.ts';
import { queryService } from '../support/hold-row.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { spawnServiceCommand } from '../support/service-command.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { verifyAndStop } from '../support/verified.ts';

/** Rows that a command encrypts: enough to be killed in the middle. */
const ROWS = 20_000;
const [OLD_KEY, NEW_KEY, THIRD_KEY] = ['o'.repeat(32), 'n'.repeat(32), 't'.repeat(32)];

let stack: Stack;
/** Settings of bids beside those of the stack. */
let bidsEnv: Readonly<Record<string, string>> = { BIDS_KEYS: OLD_KEY };

beforeAll(async () => {
  stack = await startStack({
    durable: false,
    adjustEnv: (env) => (env['NATS_USER'] === 'bids' ? { ...env, ...bidsEnv } : env),
  });
});

afterAll(async () => {
  await verifyAndStop(stack);
});

async function restartBids(env: Readonly<Record<string, string>>): Promise<void> {
  bidsEnv = env;
  await stack.parts.bids.stop();
  await stack.parts.bids.start();
}

const bids = async (text: string, values: readonly unknown[] = []): Promise<readonly Json[]> =>
  queryService(stack, 'bids', text, values);
const count = async (where: string): Promise<number> =>
  (await bids(`SELECT count(*)::int AS n FROM bid WHERE ${where}`))[0].n;

async function run(...words: readonly string[]): Promise<{ readonly code: unknown; readonly text: string }> {
  return spawnServiceCommand(stack, 'bids', ...words).end();
}

/** Kills the command with SIGKILL when it has begun and is far from done. */
async function killInTheMiddle(command: string, done: () => Promise<number>): Promise<void> {
  const { child, end } = spawnServiceCommand(stack, 'bids', command);
  await until(`${command} to begin`, async () => (await done()) > 0);
  child.kill('SIGKILL');
  expect((await end()).code).toBe(null);
  const encrypted = await done();
  expect(encrypted).toBeGreaterThan(0);
  expect(encrypted).toBeLessThan(ROWS);
}

const client = (key?: string): Broker => patientBroker(stack.gatewayUrl, key, '2.5');

async function tenderInTendering(): Promise<PublishedTender> {
  const buyer = client('broker1');
  const tender = await publish(buyer, minimalTender());
  await moveToNextCheck(buyer, tender.id);
  return tender;
}

async function postBid({ path }: PublishedTender): Promise<{ readonly id: string; readonly path: string }> {
  const answer = await client('broker2').post(`${path}/bids`, { tenderers: [TENDERER], value: { amount: 400 } });
  expect(answer.status).toBe(201);
  const { data, access } = answer.body;
  return { id: data.id, path: `${path}/bids/${data.id}?acc_token=${access.token}` };
}

describe('rekey, killed in the middle and repeated', () => {
  it('leaves no bid in clear, none under the old key, and none that cannot be decrypted', async () => {
    await restartBids({ SEAL_BIDS: 'off', BIDS_KEYS: OLD_KEY });
    const tender = await tenderInTendering();
    const bid = await postBid(tender);
    // As many bids of tenders of their own, so that the limits of one tender hold.
    await bids(
      `WITH copies AS (SELECT lpad(to_hex(n), 32, '0') AS id, lpad(to_hex(n % 500), 32, 'a') AS tender_id FROM generate_series(1, $2) AS n),
         biddings AS (INSERT INTO bidding (tender_id) SELECT DISTINCT tender_id FROM copies)
       INSERT INTO bid (id, tender_id, version, status, document, lots, owner, owner_token_hash, transfer_hash)
       SELECT copies.id, copies.tender_id, version, CASE WHEN random() < 0.1 THEN 'deleted' ELSE status END,
         replace(document, bid.id, copies.id), lots, owner, '', '' FROM bid, copies WHERE bid.id = $1`,
      [bid.id, ROWS],
    );
    await restartBids({ BIDS_KEYS: OLD_KEY });
    await killInTheMiddle('rekey', async () => count('sealed IS NOT NULL'));
    expect((await client('broker2').get(bid.path)).status).toBe(200);
    expect((await run('rekey')).code).toBe(0);
    expect(await count('document IS NOT NULL')).toBe(0);

    await restartBids({ BIDS_KEYS: `${NEW_KEY},${OLD_KEY}` });
    const [first] = await bids('SELECT encode(substring(sealed FOR 8), $1) AS key FROM bid LIMIT 1', ['hex']);
    const rekeyed = async () => count(`substring(sealed FOR 8) <> '\\x${first.key}'`);
    await killInTheMiddle('rekey', rekeyed);
    expect((await client('broker2').get(bid.path)).status).toBe(200);
    const deleted = await count(`status = 'deleted'`);
    expect(await run('rekey')).toEqual({
      code: 0,
      text: `0 rows of open tenders, ${deleted} rows of deleted bids under other keys\n`,
    });
    expect(await rekeyed()).toBe(ROWS + 1 - deleted);

    // The old key is gone. A third one makes rekey decrypt every bid that is not deleted.
    await restartBids({ BIDS_KEYS: `${THIRD_KEY},${NEW_KEY}` });
    expect((await client('broker2').get(bid.path)).status).toBe(200);
    expect((await run('rekey')).code).toBe(0);
    for (const table of ['bid', 'bidding']) await bids(`DELETE FROM ${table} WHERE tender_id LIKE 'aaaaaaaa%'`);
  });
});

describe('a bid whose row was changed', () => {
  it('keeps its tender from being closed and opened while others are, and is opened after the repair', async () => {
    const [bad, good] = [await tenderInTendering(), await tenderInTendering()];
    const [bid, other] = [await postBid(bad), await postBid(good)];
    const [{ sealed }] = await bids('SELECT sealed FROM bid WHERE id = $1', [bid.id]);
    const put = async (bytes: Buffer) => bids('UPDATE bid SET sealed = $2 WHERE id = $1', [bid.id, bytes]);
    await put(Buffer.alloc(sealed.length, 1));
    const refused = await broker(stack.gatewayUrl, 'broker2', '2.5').get(bid.path);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect((await client('broker2').get(other.path)).status).toBe(200);
    const metrics = await fetch(`http://127.0.0.1:${readyPort('bids', stack.ports)}/metrics`);
    expect(await metrics.text()).toMatch(/^bids_unreadable\{service="bids"\} 1$/m);

    const buyer = client('broker1');
    // A tender with one bid has no auction: its bids are opened at once.
    await Promise.all([bad, good].map(async ({ id }) => moveToNextCheck(buyer, id)));
    await untilTender(buyer, good.path, 'the opening', ({ status }) => status === 'active.qualification');
    const reason = `bid ${bid.id} of tender ${bad.id} cannot be decrypted`;
    const letters = `SELECT FROM kit.dead_letter WHERE durable = 'bids--tendering-ended' AND error LIKE '%' || $1`;
    await until('the dead letter', async () => (await bids(letters, [reason])).length > 0, 120_000);
    expect((await buyer.get(bad.path)).body.data.status).not.toBe('active.qualification');

    await put(sealed);
    expect((await run('dead-letters', 'replay')).code).toBe(0);
    await untilTender(buyer, bad.path, 'the opening', ({ status }) => status === 'active.qualification');
    const { data } = (await client().get(bad.path)).body;
    expect(data.bids).toMatchObject([{ id: bid.id, value: { amount: 400 } }]);
  });
});
