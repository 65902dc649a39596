import { createClient, type TenderInput } from '@procurement/client';
import type { ServiceName } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patientBroker, pauseBeforeRetry, until, type Broker } from '../support/broker.ts';
import { queryService } from '../support/hold-row.ts';
import { trustingReader, type Findings, type LogReader } from '../support/log-reader.ts';
import { publish, type PublishedTender } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { serviceCommand } from '../support/service-command.ts';
import { expectVerified } from '../support/verified.ts';

const TITLE = 'what was published';
const FORGED = 'what the operator likes better';
/** Flag of a revision in the register whose text could not be read. */
const UNREAD = 4;
/** A text that looks like a link of a stored text. */
const LINK_LIKE = '"http://gateway.invalid/';

let stack: Stack;
let buyer: Broker;
let tender: PublishedTender;
/** `PUBLIC_BASE_URL` of services that start; that of `npm start` when undefined. */
let publicBase: string | undefined;
let reader: LogReader;

beforeAll(async () => {
  stack = await startStack({
    durable: false,
    env: { LEDGER_INTERVAL_MS: '1000' },
    adjustEnv: (env) => (publicBase === undefined ? env : { ...env, PUBLIC_BASE_URL: publicBase }),
  });
  // Two minutes for a log that is behind are two seconds: what is missing stays missing.
  reader = await trustingReader(stack, () => pauseBeforeRetry);
  buyer = patientBroker(stack.gatewayUrl, 'broker1', '2.5');
  // What is there when the log begins has no earlier states in it.
  await publish(buyer, minimalTender({ mode: 'test' }));
  await until('the log to begin', async () => (await reader.run('checkpoint')).exit === 0);
  tender = await publish(buyer, minimalTender({ mode: 'test', title: TITLE, title_en: 'a name' }));
  await buyer.patch(`${tender.path}${tender.tokenQuery}`, { title_en: 'no name' });
});

afterAll(async () => {
  reader.end();
  await stack.stop();
});

/** Checks the tender, by the entries that the log names for it, and by all of the log. Returns the exit code and the codes of the findings. */
async function check(): Promise<Findings> {
  const findings = [
    await reader.findings('tender', tender.id),
    await reader.findings('tender', tender.id, '--full'),
  ] as const;
  expect(findings[0]).toEqual(findings[1]);
  return findings[1];
}

/** Waits until so many states of a tender are in the log. */
async function untilProven(id: string, states: number): Promise<void> {
  await until(`${states} states to be in the log`, async () => {
    const { exit, printed } = await reader.run('tender', id);
    return exit === 0 && printed.includes(`${states} of ${states} logged states were proven`);
  });
}

/** Waits until a service is ready again, or the log has everything. */
async function untilExit(expected: number): Promise<void> {
  await until(`the exit code ${expected}`, async () => (await reader.run('tender', tender.id)).exit === expected);
}

/** The newest publication that tenders has. */
const NEWEST = 'WHERE stamp = (SELECT max(stamp) FROM tender_publication)';

interface PublicationRow {
  readonly stamp: string;
  readonly number: string;
}

const tenders = async <T extends pg.QueryResultRow>(text: string, ...values: readonly unknown[]) =>
  queryService<T>(stack, 'tenders', text, values);
const ledger = async <T extends pg.QueryResultRow>(text: string, ...values: readonly unknown[]) =>
  queryService<T>(stack, 'ledger', text, values);

/** Waits until the ledger tells its operators why it does not go on. */
async function untilLedgerSays(why: string): Promise<void> {
  await until(`the health of the ledger: ${why}`, async () => {
    const answer = await fetch(`http://127.0.0.1:${stack.ports.ledger}/health`);
    return answer.status === 503 && (await answer.text()).includes(why);
  });
}

/** The text that the gateway answers to everybody, below the segment. */
async function shownText(path: string): Promise<string> {
  return (await fetch(`${stack.gatewayUrl}/api/2.5/${path}`)).text();
}

async function restart(...names: readonly ServiceName[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      await stack.parts[name].stop();
      await stack.parts[name].start();
    }),
  );
}

/** Publishes a tender with a file, which has a link. Returns its id. */
async function publishWithFile(): Promise<string> {
  // Other clients of tests refuse an answer with the address of the inside.
  const client = createClient({ url: stack.gatewayUrl, key: 'broker1' });
  const { id } = await client.createTender(minimalTender({ mode: 'test', title: LINK_LIKE }) as unknown as TenderInput);
  await client.tender(id).documents.upload({ name: 'a.pdf', type: 'application/pdf', content: '%PDF-1.4' });
  return id;
}

describe('the verifier before a running system', () => {
  it('proves what was published', async () => {
    await untilProven(tender.id, 2);
    expect(await check()).toEqual([0]);
    expect((await reader.run('checkpoint')).exit).toBe(0);
    expect((await reader.run('log')).exit).toBe(0);
  });

  it('finds a view that was changed in the database (T2)', async () => {
    const statement = 'UPDATE tender_view SET body = replace(body, $2, $3) WHERE tender_id = $1';
    const change = async (from: string, to: string) => {
      await queryService(stack, 'tenders', statement, [tender.id, from, to]);
      // It has the view in its memory.
      await stack.parts.tenders.kill('SIGKILL');
      await stack.parts.tenders.start();
    };
    await change(TITLE, FORGED);
    await untilExit(2);
    expect(await check()).toEqual([2, 'view']);
    await change(FORGED, TITLE);
    await untilExit(0);
  });

  it('finds an earlier text that was changed in the database (T2)', async () => {
    const statement = `UPDATE revision_text SET text = replace(text, $2, $3)
      WHERE position = (SELECT position FROM revision WHERE id = $1::uuid AND rev = 1)`;
    await queryService(stack, 'register', statement, [tender.id, TITLE, FORGED]);
    expect(await check()).toEqual([2, 'text']);
    await queryService(stack, 'register', statement, [tender.id, FORGED, TITLE]);
    expect(await check()).toEqual([0]);
  });

  it('does not prove an earlier text that the register cannot read (T2)', async () => {
    const statement = 'UPDATE revision SET flags = flags # $2 WHERE id = $1::uuid AND rev = 1';
    await queryService(stack, 'register', statement, [tender.id, UNREAD]);
    expect(await check()).toEqual([3, 'withheld']);
    await queryService(stack, 'register', statement, [tender.id, UNREAD]);
    expect(await check()).toEqual([0]);
  });

  it('proves a removal by law as a declared one (T5)', async () => {
    const reason = ['--reason', 'a judgement'];
    expect(
      await serviceCommand(
        stack,
        'register',
        'redact',
        tender.id,
        '--pointer',
        '/title_en',
        '--rev',
        '1..1',
        ...reason,
      ),
    ).toContain('1 revisions redacted');
    await untilExit(4);
    expect(await check()).toEqual([4, 'redacted']);
  });

  it('proves a tender whose links have any address, or the one of the inside (T15)', async () => {
    const proven: string[] = [];
    for (const base of [stack.gatewayUrl, '', 'http://tenders.example:8443']) {
      publicBase = base;
      if (base !== stack.gatewayUrl) await restart('gateway', 'documents');
      const id = await publishWithFile();
      await untilProven(id, 2);
      proven.push(id);
      const [shown, stored] = await Promise.all([
        shownText(`tenders/${id}`),
        shownText(`tenders/${id}/history/2?exact=1`),
      ]);
      expect(shown).toContain(`"url":"${base || stack.gatewayUrl}/get/`);
      expect(stored).toContain(`"url":"${base || 'http://gateway.invalid'}/get/`);
      for (const text of [shown, stored]) expect(text).toContain(JSON.stringify(LINK_LIKE).slice(1, -1));
      for (const one of proven) expect(await reader.run('tender', one)).toMatchObject({ exit: 0 });
    }
  });

  it('is left with equal databases', async () => {
    await expectVerified(stack);
  });

  // From here on the databases contradict each other, and the log is one of a hostile operator.
  it('finds that a publication was deleted before it was logged, which the log waits for (T3)', async () => {
    await stack.parts.ledger.kill('SIGKILL');
    for (const title_en of ['deleted', 'after it'])
      await buyer.patch(`${tender.path}${tender.tokenQuery}`, { title_en });
    const [deleted] = await tenders<PublicationRow>(
      `DELETE FROM tender_publication WHERE stamp = (SELECT previous FROM tender_publication ${NEWEST}) RETURNING stamp, number`,
    );
    if (deleted === undefined) throw new Error('nothing was published');
    await stack.parts.ledger.start();
    await untilLedgerSays('are missing: nothing after them is logged');
    const metrics = await (await fetch(`http://127.0.0.1:${stack.ports.ledger}/metrics`)).text();
    expect(Number(/^ledger_behind_seconds\S* (.*)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    expect([await reader.findings('log'), await check()]).toEqual([[0], [2, 'redacted', 'view']]);

    await ledger('UPDATE head SET position = $1, number = $2', deleted.stamp, deleted.number);
    await until('the log to go on', async () => (await reader.findings('log'))[0] !== 0);
    expect(await reader.findings('log')).toEqual([2, 'number']);
  });

  it('finds a tender that was published with the clock of the feed set back, whose page the log refuses (T4)', async () => {
    const [newest] = await tenders<PublicationRow>(`SELECT stamp, number FROM tender_publication ${NEWEST}`);
    if (newest === undefined) throw new Error('nothing was published');
    await until(
      'the log to have everything',
      async () => (await ledger<PublicationRow>('SELECT number FROM head'))[0]?.number === newest.number,
    );
    const [clock] = await tenders<{ text: string }>(`SELECT pg_get_functiondef('feed_tick'::regproc) AS text`);
    const earlier = BigInt(newest.stamp) - 1n;
    await tenders(`CREATE OR REPLACE FUNCTION feed_tick() RETURNS BIGINT LANGUAGE sql AS 'SELECT ${earlier}'`);
    const { id } = await publish(buyer, minimalTender({ mode: 'test' }));
    await tenders(clock?.text ?? '');
    await publish(buyer, minimalTender({ mode: 'test' }));
    await untilLedgerSays('a page of tenders was refused');
    const before = await reader.findings('log');
    expect(before).toEqual([2, 'number']);

    const position = String(earlier - 1n);
    await tenders('UPDATE tender_publication SET previous = $1 WHERE tender_id = $2', position, id);
    await ledger('UPDATE head SET position = $1', position);
    await until('the log to go on', async () => (await reader.findings('log')).length > before.length);
    expect(await reader.findings('log')).toEqual([...before, 'position']);
  });
});
