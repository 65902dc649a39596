import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadOrCreateSecrets } from '@procurement/local-stack/secrets';
import { startStack, type Stack, type StackOptions } from '@procurement/local-stack/stack';
import { unprivilegedUser } from '@procurement/local-stack/user';
import { openClient } from '@procurement/testing/stream-client';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playTwoBids } from '../e2e/stories/two-bids.ts';
import { patientBroker, until, type Broker, type Json } from '../support/broker.ts';
import { fileUpload } from '../support/file-upload.ts';
import { trustingReader, type Findings, type LogReader } from '../support/log-reader.ts';
import { PATIENCE } from '../support/patience.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { noRecorder } from '../support/story-context.ts';
import { expectVerified } from '../support/verified.ts';

const SCRIPTS = fileURLToPath(new URL('../../deploy/backup/', import.meta.url));

let home: string;
let archive: string;
let stack: Stack;
let reader: LogReader;

const postgresData = (): string => join(home, 'postgres');

/** The store of the log is never restored (docs/spec/proof.md 3.2): it is not among the files that are. */
const LOG = 'log';

async function start(options: Pick<StackOptions, 'ports' | 'env'> = {}): Promise<Stack> {
  return startStack({
    dataDir: home,
    durable: false,
    ...options,
    env: { ...PATIENCE, LEDGER_INTERVAL_MS: '1000', ...options.env },
    adjustEnv: (env) => ('LEDGER_STORE' in env ? { ...env, LEDGER_STORE: `folder:${join(home, LOG)}` } : env),
  });
}

/** Runs a script of deploy/backup. Returns what it prints. */
function script(name: string, ...args: readonly string[]): string {
  return execFileSync('sh', [join(SCRIPTS, name), ...args], { encoding: 'utf8' }).trim();
}

async function asSuperuser<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
  const { databasePasswords } = await loadOrCreateSecrets(home);
  const url = `postgresql://postgres:${databasePasswords.postgres}@127.0.0.1:${stack.ports.postgres}/postgres`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** What deploy/backup/start-postgres.sh sets. */
async function startArchiving(): Promise<void> {
  await asSuperuser(async (client) => {
    await client.query('ALTER SYSTEM SET archive_mode = on');
    const command = `sh ${join(SCRIPTS, 'archive-wal.sh')} %p %f ${join(archive, 'wal')}`;
    await client.query(`ALTER SYSTEM SET archive_command = ${client.escapeLiteral(command)}`);
  });
  await stack.parts.postgres.stop();
  await stack.parts.postgres.start();
}

/** What pg_basebackup does, which the embedded PostgreSQL does not have. */
async function baseBackup(): Promise<void> {
  const folder = join(archive, 'base/.part');
  mkdirSync(folder, { mode: 0o700 });
  giveToPostgres(folder);
  const label = await asSuperuser(async (client) => {
    await client.query(`SELECT pg_backup_start('drill', true)`);
    const copy = `tar -C ${postgresData()} --exclude './pg_wal/*' --exclude ./postmaster.pid -cf - . | tar -C ${folder} -xpf -`;
    // 1: a file has changed meanwhile, which the log repairs.
    expect(spawnSync('sh', ['-c', copy]).status).toBeLessThanOrEqual(1);
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop()');
    return String(rows[0].labelfile);
  });
  writeFileSync(join(folder, 'backup_label'), label);
  giveToPostgres(join(folder, 'backup_label'));
  execFileSync('mv', [
    folder,
    join(archive, 'base', execFileSync('date', ['-u', '+%Y%m%dT%H%M%SZ']).toString().trim()),
  ]);
}

/** PostgreSQL runs as another user where tests run as root. */
function giveToPostgres(path: string): void {
  const user = unprivilegedUser();
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

/** The present time of PostgreSQL. */
async function databaseTime(): Promise<string> {
  return asSuperuser(async (client) =>
    String((await client.query('SELECT clock_timestamp()::text AS now')).rows[0].now),
  );
}

/** Waits until the segments with everything committed so far are in the archive. */
async function archived(): Promise<void> {
  await asSuperuser(async (client) => {
    const { rows } = await client.query('SELECT pg_walfile_name(pg_switch_wal()) AS name');
    await until('the last segment', async () => existsSync(join(archive, 'wal', rows[0].name)));
  });
}

interface Written {
  readonly path: string;
  readonly tokenQuery: string;
  readonly description: string;
  readonly fileUrl: string;
}

/** Publishes a tender, changes it and adds a file: acknowledged when this returns. */
async function write(buyer: Broker, description: string): Promise<Written> {
  const { path, tokenQuery } = await publish(buyer, minimalTender({ mode: 'test' }));
  const file = await buyer.request(
    'POST',
    `${path}/documents${tokenQuery}`,
    fileUpload('a.txt', 'text/plain', description),
  );
  expect(file.status).toBe(201);
  expect((await buyer.patch(`${path}${tokenQuery}`, { description })).status).toBe(200);
  return { path, tokenQuery, description, fileUrl: file.body.data.url };
}

async function expectThere(reader: Broker, { path, description, fileUrl }: Written): Promise<void> {
  expect((await reader.get(path)).body.data.description).toBe(description);
  expect(await (await fetch(fileUrl)).text()).toBe(description);
}

const logFindings = async ({ path }: Written): Promise<Findings> => reader.findings('tender', tenderIdOf(path));
const tenderIdOf = (path: string): string => path.slice('/tenders/'.length);

const anyone = (): Broker => patientBroker(stack.gatewayUrl, undefined, '2.5');
const buyers = (): Broker => patientBroker(stack.gatewayUrl, 'broker1', '2.5');

const CHANGES = '/tenders?feed=changes&mode=_all_';
const olderReader = (): Broker => patientBroker(stack.gatewayUrl, undefined, '2.3');

async function feedPage(query = ''): Promise<Json> {
  return (await anyone().get(`/tenders?mode=_all_&limit=1000${query}`)).body;
}

/** What a reader and the writers had at the moment that is restored, and what came after it. */
interface Accident {
  readonly moment: string;
  readonly kept: readonly Written[];
  readonly feed: Json;
  /** Written after the moment. */
  readonly lost: Written;
  /** Where readers of the feed stood after it: on 2.5, and of `feed=changes` before. */
  readonly offset: string;
  readonly token: string;
}

let accident: Accident;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'procurement-restore-'));
  chmodSync(home, 0o755);
  archive = join(home, 'archive');
  for (const folder of [archive, join(archive, 'wal'), join(archive, 'base')]) {
    mkdirSync(folder);
    giveToPostgres(folder);
  }
  stack = await start();
  await startArchiving();
});

// Load, a base backup while writes go on, more load, the moment, more load; then everything is killed and deleted.
beforeAll(async () => {
  const buyer = buyers();
  await playTwoBids({ broker: (key) => patientBroker(stack.gatewayUrl, key, '2.5'), recorder: noRecorder });
  const before = await write(buyer, 'before the backup');
  const [during] = await Promise.all([write(buyer, 'during the backup'), baseBackup()]);
  script('files.sh', join(home, 'files'), archive);
  const kept = [before, during, await write(buyer, 'after the backup')];
  script('files.sh', join(home, 'files'), archive);
  const feed = (await feedPage()).data;
  const moment = await databaseTime();
  const lost = await write(buyer, 'after the moment');
  await buyer.patch(`${before.path}${before.tokenQuery}`, { description: 'wrong' });
  const { offset } = (await feedPage('&descending=1')).prev_page;
  const { offset: token } = (await olderReader().get(CHANGES)).body.next_page;
  reader = await trustingReader(stack);
  // It waits until the log has the tenders as they are, and keeps its checkpoint.
  for (const one of [lost, ...kept])
    if ((await logFindings(one))[0] !== 0) throw new Error(`${one.path} is not proven`);
  accident = { moment, kept, feed, lost, offset, token };
  await archived();
  for (const part of Object.values(stack.parts)) await part.kill('SIGKILL');
  for (const folder of ['postgres', 'nats', 'files']) rmSync(join(home, folder), { recursive: true, force: true });
});

beforeAll(async () => {
  mkdirSync(join(home, 'files'));
  script('restore-files.sh', join(home, 'files'), archive);
  script('restore-postgres.sh', archive, postgresData(), accident.moment);
  stack = await start({ ports: stack.ports, env: { FEED_EPOCH: '2' } });
});

afterAll(async () => {
  await stack.stop();
  reader.end();
  rmSync(home, { recursive: true, force: true });
});

describe('a system that was restored to a moment by deploy/backup', () => {
  it('has everything that was acknowledged before the moment, and nothing after it', async () => {
    for (const one of accident.kept) await expectThere(anyone(), one);
    expect((await anyone().get(accident.lost.path)).status).toBe(404);
    expect((await feedPage()).data).toEqual(accident.feed);
  });

  it('has equal views, copies and register everywhere, although NATS was empty', async () => {
    await expectVerified(stack);
  });

  it('takes readers of the register back: none finds what was lost, and the stream says what is void (A6)', async () => {
    const { lost, kept, offset } = accident;
    const ids = [lost, ...kept].map(({ path }) => tenderIdOf(path));
    const found = await until('the register', async () => {
      const answer = await anyone().get(`/lookup?ids=${ids.join(',')}`);
      return answer.status === 200 && answer.body;
    });
    expect([found.data.map(({ id }: Json) => id), found.missing]).toEqual([ids.slice(1), ids.slice(0, 1)]);
    const searched = (await anyone().get('/search?mode=_all_&sort=-modified&limit=100')).body.data;
    expect(searched.map(({ id }: Json) => id)).toEqual(expect.not.arrayContaining(ids.slice(0, 1)));
    expect((await anyone().get(`${lost.path}/history`)).status).toBe(404);
    const reader = await openClient(`${stack.gatewayUrl}/api/2.5/stream?mode=_all_`, { 'last-event-id': offset });
    const reset = await until('the reset', async () => reader.frames.find((frame) => frame.startsWith('event: reset')));
    const { after, before } = JSON.parse(reset.split('\ndata: ')[1] ?? '');
    expect([Number(after) < Number(offset), Number(offset) < Number(before)]).toEqual([true, true]);
    expect(reset).toContain(`id: ${before}\n`);
    reader.close();
  });

  it('has a log that goes on from what it had shown, and says of which tenders states are lost (T8 of proof.md)', async () => {
    const { lost, kept } = accident;
    const [changed, ...others] = kept;
    if (changed === undefined) throw new Error('nothing was kept');
    for (const one of [changed, lost]) expect(await logFindings(one)).toEqual([4, 'restored']);
    for (const one of others) expect(await logFindings(one)).toEqual([0]);
    // The checkpoint that was kept before the accident is the beginning of this log, or it would be a fork.
    expect(await reader.findings('checkpoint')).toEqual([0]);
    expect(await reader.findings('log')).toEqual([4, 'restored']);
  });

  it('goes on: offsets that have an epoch are refused, and other readers miss no later change', async () => {
    expect((await olderReader().get(`${CHANGES}&offset=${accident.token}`)).status).toBe(404);
    const { path, tokenQuery } = accident.kept[0] ?? accident.lost;
    expect((await buyers().patch(`${path}${tokenQuery}`, { description: 'right' })).status).toBe(200);
    const again = await write(buyers(), 'after the restore');
    const { data } = await feedPage(`&offset=${accident.offset}`);
    expect(data.map(({ id }: Json) => `/tenders/${id}`)).toEqual([path, again.path]);
    await expectVerified(stack);
  });
});
