import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { playTwoBids } from '../e2e/stories/two-bids.ts';
import { playTwoLots } from '../e2e/stories/two-lots.ts';
import { broker, patientBroker, pauseBeforeRetry, until, type Json } from '../support/broker.ts';
import { PATIENCE } from '../support/patience.ts';
import { interfaceBid, minimalTender } from '../support/request-bodies.ts';
import { noRecorder } from '../support/story-context.ts';
import { verifyAndStop } from '../support/verified.ts';

const FOLLOWERS = ['tenders', 'bids', 'awards', 'documents', 'auction'] as const;
const POSITION_TABLES = 'kit.inbox, kit.consumer_position, kit.consumer_check';

let dataDir: string;
let stack: Stack;
/** Public views of tenders whose procedure is over, by id. */
let finished: ReadonlyMap<string, Json>;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'procurement-rebuild-'));
  chmodSync(dataDir, 0o755);
  stack = await startStack({ dataDir, durable: false, env: { ...PATIENCE, POSITION_CHECK_SECONDS: '1' } });
  const context = {
    broker: (key: string | undefined) => patientBroker(stack.gatewayUrl, key, '2.5'),
    recorder: noRecorder,
  };
  await Promise.all([playTwoBids(context), playTwoLots(context)]);
  const ids = (await query('tenders', 'SELECT id FROM tender')).map((row) => String(row['id']));
  finished = new Map(await Promise.all(ids.map(async (id) => [id, await fetchView(id)] as const)));
});

afterAll(async () => {
  await verifyAndStop(stack);
  rmSync(dataDir, { recursive: true, force: true });
});

async function fetchView(id: string): Promise<Json> {
  const { data } = (await patientBroker(stack.gatewayUrl, undefined, '2.5').get(`/tenders/${id}`)).body;
  // Parts that come back one after another are changes of the view.
  const { dateModified: _dateModified, ...view } = data;
  return view;
}

const DEADLOCK = '40P01';

async function query(service: ServiceName, text: string): Promise<readonly Json[]> {
  const client = new pg.Client({ connectionString: stack.databaseUrl(service) });
  await client.connect();
  try {
    for (;;) {
      try {
        return (await client.query(text)).rows;
      } catch (error) {
        // A TRUNCATE of several tables can meet a running consumer; PostgreSQL then ends one of the two.
        if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK) throw error;
      }
    }
  } finally {
    await client.end();
  }
}

/** Publishes tenders and bids until `stop`, which returns their number. */
function startWriting(): { stop(): Promise<number> } {
  let stopped = false;
  let written = 0;
  const client = broker(stack.gatewayUrl, 'broker1');
  const running = (async () => {
    while (!stopped) {
      try {
        const { status, body } = await client.post('/tenders', minimalTender());
        if (status !== 201) throw new Error('refused');
        written += 1;
        const id: string = body.data.id;
        await client.post(`/tenders/${id}/bids`, interfaceBid(400));
        await client.patch(`/tenders/${id}?acc_token=${body.access.token}`, { description: 'changed' });
      } catch {
        // Not acknowledged.
        await pauseBeforeRetry();
      }
    }
  })();
  const stop = async (): Promise<number> => {
    stopped = true;
    await running;
    return written;
  };
  onTestFinished(async () => void (await stop()));
  return { stop };
}

// Their version is that of their last change, or a later one when they were asked for (decision 0022).
const FACTS = `md5((facts::jsonb - 'version')::text) AS facts`;
const OWN_TENDERS = `SELECT id, ${FACTS} FROM tender`;
const tenderCopies = `SELECT id, ${FACTS} FROM kit.replica WHERE kind = 'tender'`;
const OWN_BIDS = 'SELECT id, owner FROM bid';
const OWN_AWARDS = 'SELECT tender_id AS id, version FROM awarding';
const OWN_DOCUMENTS = 'SELECT tender_id AS id, version FROM tender_documents WHERE version > 0';
const copies = (kind: string): string => `SELECT id, version FROM kit.replica WHERE kind = '${kind}'`;
const bidCopies = `SELECT id, facts::json ->> 'owner' AS owner FROM kit.replica WHERE kind = 'bid'`;
const partCopies = (
  part: string,
): string => `SELECT id, (private_state::json -> '${part}' ->> 'version')::bigint AS version
  FROM tender WHERE private_state::json -> '${part}' IS NOT NULL`;

/** Each copy, and what it must equal: the rows of its owner. */
const COPIES: readonly (readonly [ServiceName, string, ServiceName, string])[] = [
  ...(['bids', 'awards', 'documents', 'auction'] as const).map(
    (service) => [service, tenderCopies, 'tenders', OWN_TENDERS] as const,
  ),
  ['awards', bidCopies, 'bids', OWN_BIDS],
  ['documents', bidCopies, 'bids', OWN_BIDS],
  ['documents', copies('awards'), 'awards', OWN_AWARDS],
  ['tenders', partCopies('awards'), 'awards', OWN_AWARDS],
  ['awards', copies('documents'), 'documents', OWN_DOCUMENTS],
  ['tenders', partCopies('documents'), 'documents', OWN_DOCUMENTS],
];

// Without the audit log, which refuses TRUNCATE (decision 0071).
const TABLES_OF_A_SERVICE = `SELECT concat_ws('.', quote_ident(schemaname), quote_ident(tablename)) AS name FROM pg_tables
  WHERE schemaname IN ('public', 'kit') AND tablename !~ 'migration' AND tablename <> 'audit'`;

const backupNameOf = (table: string): string => `backup_${table.replace('.', '_')}`;

async function expectCopiesEqual(): Promise<void> {
  const readRows = async (service: ServiceName, text: string): Promise<string> =>
    JSON.stringify(await query(service, `${text} ORDER BY id`));
  for (const [service, copy, owner, own] of COPIES) {
    const isEqual = async (): Promise<boolean> => (await readRows(service, copy)) === (await readRows(owner, own));
    await until(`${service}: ${copy}`, isEqual);
  }
  for (const service of FOLLOWERS) {
    await until(`${service} without details`, async () => (await fetchReadiness(service)).details.length === 0);
    expect(await query(service, 'SELECT durable, error FROM kit.dead_letter')).toEqual([]);
  }
  for (const [id, view] of finished) expect(await fetchView(id)).toEqual(view);
}

async function fetchReadiness(service: ServiceName): Promise<Json> {
  return (await fetch(`http://127.0.0.1:${stack.ports[service]}/ready`)).json();
}

async function hasRebuilt(service: ServiceName): Promise<boolean> {
  const metrics = await (await fetch(`http://127.0.0.1:${stack.ports[service]}/metrics`)).text();
  return /rebuild_rows_total\{.*\} [1-9]/.test(metrics);
}

describe('copies of other services', () => {
  it('lost by every follower while it runs, under a load of writes: equal their owners again', async () => {
    const writing = startWriting();
    await until('some writes', async () => (await query('tenders', OWN_TENDERS)).length > 8);
    const ids = [...finished.keys()].map((id) => `'${id}'`).join(', ');
    for (const service of ['bids', 'awards', 'documents', 'auction'] as const)
      await query(service, `TRUNCATE kit.replica, ${POSITION_TABLES}`);
    // In one transaction: what is lost after a rebuild is another loss.
    await query(
      'tenders',
      `UPDATE tender SET private_state = (private_state::jsonb - 'bids' - 'awards' - 'documents')::text WHERE id IN (${ids});
      TRUNCATE ${POSITION_TABLES}`,
    );
    for (const service of FOLLOWERS) await until(`a rebuild of ${service}`, async () => hasRebuilt(service));
    const before = (await query('tenders', OWN_TENDERS)).length;
    await until('writes meanwhile', async () => (await query('tenders', OWN_TENDERS)).length > before + 5);
    expect(await writing.stop()).toBeGreaterThan(10);
    await expectCopiesEqual();
    for (const [id, view] of finished) {
      const [row] = await query('tenders', `SELECT private_state::json AS parts FROM tender WHERE id = '${id}'`);
      expect(row?.parts.bids).toHaveLength(view.bids.length);
    }
  });

  it('of a database that was restored from a backup: equal their owners again', async () => {
    const tables = (await query('awards', TABLES_OF_A_SERVICE)).map((row) => String(row['name']));
    await stack.parts.awards.kill('SIGKILL');
    await query('awards', tables.map((name) => `CREATE TABLE ${backupNameOf(name)} AS TABLE ${name}`).join('; '));
    await stack.parts.awards.start();
    const writing = startWriting();
    const before = (await query('awards', tenderCopies)).length;
    await until('later copies', async () => (await query('awards', tenderCopies)).length > before + 5);
    await stack.parts.awards.kill('SIGKILL');
    const restore = tables.map((name) => `TRUNCATE ${name}; INSERT INTO ${name} SELECT * FROM ${backupNameOf(name)}`);
    await query('awards', restore.join('; '));
    await stack.parts.awards.start();
    await writing.stop();
    await expectCopiesEqual();
  });

  it('of events that were lost with the store of NATS: equal their owners again, and procedures go on', async () => {
    const writing = startWriting();
    await stack.parts.auction.kill('SIGKILL');
    const before = (await query('tenders', OWN_TENDERS)).length;
    await until(
      'events that auction has not applied',
      async () => (await query('tenders', OWN_TENDERS)).length > before + 5,
    );
    await stack.parts.nats.kill('SIGKILL');
    rmSync(join(dataDir, 'nats'), { recursive: true, force: true });
    await stack.parts.nats.start();
    await stack.parts.auction.start();
    await writing.stop();
    await expectCopiesEqual();
    await playTwoLots({ broker: (key) => patientBroker(stack.gatewayUrl, key, '2.5'), recorder: noRecorder });
  });
});
