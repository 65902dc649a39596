import { createHash } from 'node:crypto';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { webhookReceiver, type WebhookReceiver } from '@procurement/testing/webhook-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORT_KINDS, type ExportKind } from '../../packages/contracts/src/resources/export.ts';
import { exampleSettings, publish as project } from '../../packages/ocds/test-support/examples.ts';
import { patientBroker, until, type Broker, type Json } from '../support/broker.ts';
import { exported, type ExportedFile } from '../support/exported-file.ts';
import { holdLock, queryService } from '../support/hold-row.ts';
import { PATIENCE } from '../support/patience.ts';
import { publish, TENDERER, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveToNextCheck } from '../support/sandbox.ts';
import { verifyAndStop } from '../support/verified.ts';

/** Settings of the stack: those of a sandbox without an address of its own. */
const SETTINGS = { ...exampleSettings, publicBaseUrl: 'http://gateway.invalid', includeTest: true };
const TENDERS = 6;

let stack: Stack;
let buyer: Broker;
let receiver: WebhookReceiver;
let webhook: string;
const tenders: PublishedTender[] = [];

beforeAll(async () => {
  stack = await startStack({ env: PATIENCE });
  buyer = patientBroker(stack.gatewayUrl, 'broker1', '2.5');
  for (let n = 0; n < TENDERS; n += 1) tenders.push(await publish(buyer, minimalTender({ mode: 'test' })));
  receiver = await webhookReceiver();
  const created = await buyer.post('/webhooks', { url: receiver.url, filter: { mode: '_all_' }, from: '0' });
  webhook = created.body.data.id;
  await until('the first deliveries', async () => receiver.accepted().length === TENDERS);
});

afterAll(async () => {
  await receiver.stop();
  await verifyAndStop(stack);
});

async function query(text: string): Promise<readonly Json[]> {
  return queryService(stack, 'register', text);
}

/** Changes all tenders, each so that a release is made. */
async function changeAll(description: string): Promise<void> {
  const changes = tenders.map(async ({ path, tokenQuery }) => buyer.patch(path + tokenQuery, { description }));
  for (const { status, text } of await Promise.all(changes)) expect([status, text]).toEqual([200, expect.anything()]);
}

/** SIGKILL and a new process. The lease of the killed one ends at once instead of after 30 s. */
async function restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
  await stack.parts.register.kill('SIGKILL');
  await meanwhile();
  await query("UPDATE webhook SET lease_until = now() - interval '1 second'");
  await stack.parts.register.start();
}

/** Waits until everything that is published is applied, projected and delivered. */
async function settled(): Promise<void> {
  await until('the register to catch up', async () => {
    const [owner] = await queryService(stack, 'tenders', 'SELECT max(stamp) AS head FROM tender_feed');
    const [state] = await query(
      `SELECT follow.position, ocds_position.position AS projected FROM follow, ocds_position`,
    );
    return state?.position === owner?.['head'] && state?.projected === owner?.['head'];
  });
  await until('all deliveries', async () => receiver.accepted().length === (await positions()).length);
}

/** Positions of all public revisions, in order. */
async function positions(): Promise<readonly bigint[]> {
  const rows = await query('SELECT position FROM revision WHERE listed AND NOT void ORDER BY position');
  return rows.map(({ position }) => BigInt(position));
}

/** Every revision of each tender has made one release, in its order: what a projection of all of them at once makes. */
async function expectReleasesOnce(): Promise<void> {
  for (const { id } of tenders) {
    const views = await query(`SELECT text FROM revision JOIN revision_text USING (position)
      WHERE id = '${id}' AND listed AND NOT void ORDER BY position`);
    const expected = project(
      views.map(({ text }) => JSON.parse(text).data),
      SETTINGS,
    );
    const stored = await query(`SELECT body FROM ocds_release WHERE ocid = (SELECT ocid FROM ocds_record
      WHERE tender_id = '${id}') ORDER BY seq`);
    expect(stored.map(({ body }) => JSON.parse(body))).toEqual(expected.map(({ release }) => release));
    expect(stored.length).toBe(views.length);
  }
}

/** Every change was accepted, those of one tender in order, whatever came again. */
async function expectDeliveredInOrder(): Promise<void> {
  const accepted = receiver.accepted();
  expect(accepted.toSorted((one, other) => Number(one - other))).toEqual(await positions());
  const tenderOf = new Map(receiver.messages.map(({ position, tender }) => [position, tender]));
  for (const { id } of tenders) {
    const own = accepted.filter((position) => tenderOf.get(position) === id);
    expect(own).toEqual(own.toSorted((one, other) => Number(one - other)));
  }
}

describe('a register that is killed', () => {
  it('in the middle of a batch of releases makes each once, in order (T10)', async () => {
    const lock = await holdLock(stack, 'register', 'LOCK TABLE ocds_record IN SHARE ROW EXCLUSIVE MODE');
    await changeAll('while records are locked');
    await lock.someoneWaits();
    await restart(lock.release);
    await changeAll('after the kill');
    await restart();
    await settled();
    await expectReleasesOnce();
  });

  it('while a receiver has a change, or has just accepted it, sends it again with the same id, and nothing out of order (A25)', async () => {
    const [slow] = tenders;
    const held: (() => void)[] = [];
    receiver.reply = (message) => {
      if (message.tender !== slow?.id) return 200;
      return (response) => held.push(() => response.writeHead((message.status = 200)).end());
    };
    await changeAll('while the receiver does not answer');
    await until('a delivery without an answer', async () => held.length > 0);
    const before = held.length;
    await restart();
    await until('its repetition', async () => held.length > before);
    // The delivery is accepted, and not stored: the process ends while it waits for the row.
    const lock = await holdLock(stack, 'register', `SELECT FROM webhook WHERE id = '${webhook}' FOR UPDATE`);
    // The receiver also accepts a repetition, if the delivery has not been answered in time.
    receiver.reply = () => 200;
    held.at(-1)?.();
    await lock.someoneWaits();
    await restart(async () => {
      // What the killed process has sent is stored otherwise, also by a session that has not come to the lock yet.
      await query(`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name LIKE 'register%'`);
      await lock.release();
    });
    await settled();
    const last = receiver.messages.findLast(({ tender }) => tender === slow?.id)?.position;
    const repeated = (): typeof receiver.messages => receiver.messages.filter(({ position }) => position === last);
    // The receiver has accepted everything before, so that nothing else waits for it.
    await until('a delivery after the second kill', async () => repeated().length > 2);
    await expectDeliveredInOrder();
    expect(new Set(repeated().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

/** A new file of each kind. They are asked for at once, because the service looks for new ones every few seconds. */
async function exportAll(): Promise<ReadonlyMap<ExportKind, ExportedFile>> {
  return new Map(
    await Promise.all(
      EXPORT_KINDS.map(async (kind): Promise<[ExportKind, ExportedFile]> => [kind, await exported(stack, kind)]),
    ),
  );
}

/** Downloads a file over connections that break after these places, each gone on from by the tag of the first answer. */
async function resumedDownload(url: string, places: readonly number[]): Promise<Buffer> {
  let content = Buffer.alloc(0);
  let etag: string | undefined;
  for (const place of places) {
    const resumed = etag === undefined ? {} : { range: `bytes=${content.length}-`, 'if-range': etag };
    const leaving = new AbortController();
    const answer = await fetch(url, { headers: resumed, signal: leaving.signal });
    expect(answer.status).toBe(etag === undefined ? 200 : 206);
    etag ??= answer.headers.get('etag') ?? undefined;
    for await (const chunk of answer.body ?? []) {
      content = Buffer.concat([content, chunk]);
      if (content.length >= place) break;
    }
    content = content.subarray(0, place);
    leaving.abort();
  }
  return content;
}

/** The lines of a file, and the entries of the pages after it. */
async function readToTheEnd(file: ExportedFile | undefined): Promise<readonly Json[]> {
  const entries = (file?.lines ?? []).map((line) => JSON.parse(line));
  for (let url: string | undefined = file?.manifest.feed; url !== undefined;) {
    const text = (await (await fetch(url)).text()).replaceAll(`${stack.gatewayUrl}/`, `${SETTINGS.publicBaseUrl}/`);
    const page: Json = JSON.parse(text);
    entries.push(...page[file?.manifest.kind]);
    url = page.links?.next?.replace(SETTINGS.publicBaseUrl, stack.gatewayUrl);
  }
  return entries;
}

/** Which texts the lines about a tender have, by kind. */
function foundIn(
  files: ReadonlyMap<ExportKind, ExportedFile>,
  id: string,
  texts: readonly string[],
): readonly string[] {
  return EXPORT_KINDS.flatMap((kind) => {
    const own = files.get(kind)?.lines.filter((line) => line.includes(id)) ?? [];
    return [id, ...texts].filter((text) => own.some((line) => line.includes(text))).map((text) => `${kind}: ${text}`);
  });
}

describe('files that are made while writers run', () => {
  const secrets = ['ТОВ Таємниця', '432.19', '00998877'];
  let sealed: PublishedTender;
  let made: ReadonlyMap<ExportKind, ExportedFile>;

  it('lead to exactly all releases and records with the pages after them (X1, X2), and have nothing of sealed bids', async () => {
    const seller = patientBroker(stack.gatewayUrl, 'broker2', '2.5');
    sealed = await publish(buyer, minimalTender({ procurementMethodDetails: 'quick, accelerator=1440' }));
    const tenderer = { ...TENDERER, name: secrets[0], identifier: { ...TENDERER.identifier, id: secrets[2] } };
    await moveToNextCheck(buyer, sealed.id);
    for (let n = 0; n < 2; n += 1) {
      const bid = await seller.post(`${sealed.path}/bids`, { tenderers: [tenderer], value: { amount: 432.19 } });
      expect([bid.status, bid.text]).toEqual([201, expect.anything()]);
      secrets.push(bid.body.data.id);
    }
    expect((await moveToNextCheck(buyer, sealed.id)).status).toBe('active.auction');
    await settled();
    let isOver = false;
    const write = async (): Promise<void> => {
      for (let n = 0; !isOver; n += 1) await changeAll(`beside exports ${n}`);
    };
    const writing = write();
    made = await exportAll();
    isOver = true;
    await writing;
    await changeAll('after exports');
    await settled();
    const bodies = (await query('SELECT body FROM ocds_release ORDER BY seq')).map(({ body }) => JSON.parse(body));
    const stored = await query('SELECT ocid, compiled FROM ocds_record');
    const compiled = new Map(stored.map((record) => [record.ocid, JSON.parse(record.compiled)]));
    expect(await readToTheEnd(made.get('releases'))).toEqual(bodies);
    const records = await readToTheEnd(made.get('records'));
    expect(new Map(records.map(({ ocid, compiledRelease }) => [ocid, compiledRelease]))).toEqual(compiled);
    expect(foundIn(made, sealed.id, secrets)).toEqual(EXPORT_KINDS.map((kind) => `${kind}: ${sealed.id}`));
  });

  it('can be downloaded over broken connections: what was resumed anywhere has the checksum of the manifest (A44)', async () => {
    for (const { manifest } of made.values()) {
      for (const { url, bytes, sha256 } of manifest.files) {
        const cuts = [0.1, 0.35, 0.36, 0.8].map((part) => Math.floor(bytes * part)).filter((at) => at > 0);
        const content = await resumedDownload(url, [...cuts, bytes - 1, bytes]);
        expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
      }
    }
  });

  it('have all of the bids after the opening', async () => {
    const auction = patientBroker(stack.gatewayUrl, 'auction', '2.5');
    expect((await auction.post(`${sealed.path}/auction`, { bids: [{}, {}] })).status).toBe(200);
    await until('the opening', async () => {
      return (await buyer.get(sealed.path)).body.data.status === 'active.qualification';
    });
    await settled();
    const expected = EXPORT_KINDS.flatMap((kind) => [sealed.id, ...secrets].map((text) => `${kind}: ${text}`));
    expect(foundIn(await exportAll(), sealed.id, secrets)).toEqual(expected);
  });
});
