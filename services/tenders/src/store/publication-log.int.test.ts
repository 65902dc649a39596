import { createHash } from 'node:crypto';
import { transact } from '@procurement/kit/database/transaction';
import { AUTHOR } from '@procurement/testing/bodies';
import { anonymousIdentity, signedIdentity } from '@procurement/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { padId } from '@procurement/testing/ids';
import { causesIn } from '@procurement/contracts/resources/causes';
import type { ExternalInput } from '../domain/tender.ts';
import { requestsTo } from '../../test-support/requests.ts';
import { NOW, runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';
import { loadTender } from './load-tenders.ts';
import { beginFeedEpoch, purgePublications } from './publication-log.ts';
import { saveTenders } from './save-tenders.ts';

const WRITERS = 16;
const TENDERS = 6;
const CHANGES = 5;
const DAY_MICROS = 86_400_000_000;

const awardFact = {
  id: padId('a1'),
  status: 'unsuccessful',
  date: '2026-05-21T10:00:00+03:00',
  bid_id: padId('b0'),
} as const;

let running: RunningTenders;
const { send, created } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders();
});

afterAll(async () => {
  await running.close();
});

interface Publication {
  readonly stamp: string;
  readonly previous: string;
  readonly id: string;
  readonly rev: string;
  readonly listed: boolean;
  readonly is_test: boolean;
  readonly causes: string;
  readonly number: string | null;
  readonly revision: number | null;
  readonly sha256: string | null;
  readonly text: string | null;
}

/** The log in order: of one tender, or whole. */
async function publications(id?: string): Promise<readonly Publication[]> {
  const { rows } = await running.database.pool.query<Publication>(
    `SELECT stamp, previous, tender_id AS id, rev, listed, is_test, causes, number, revision, encode(sha256, 'hex') AS sha256,
       head || feed_text(stamp) || tail AS text
     FROM tender_publication LEFT JOIN tender_publication_text USING (tender_id, version)
     WHERE $1::text IS NULL OR tender_id = $1 ORDER BY stamp`,
    [id ?? null],
  );
  return rows;
}

async function publicText(id: string): Promise<string> {
  return (await send('GET', `/tenders/${id}`, anonymousIdentity())).body;
}

function causesOf(rows: readonly Publication[]): readonly (readonly string[])[] {
  return rows.map(({ causes }) => causesIn(BigInt(causes)));
}

async function counts(): Promise<unknown> {
  const { rows } = await running.database.pool.query(
    `SELECT (SELECT count(*) FROM tender_publication) AS publications, (SELECT count(*) FROM tender_publication_text) AS texts,
       (SELECT max(stamp) FROM tender_feed) AS head, (SELECT sum(version) FROM tender) AS versions`,
  );
  return rows[0];
}

describe('the log of publications (decision 0079)', () => {
  it('has the text that an anonymous GET answered, byte for byte, after each change', async () => {
    const texts: string[] = [];
    const { id, owner } = await created();
    texts.push(await publicText(id));
    await send('PATCH', `/tenders/${id}`, owner, { title: 'Фарба "біла" \\ 𝒳\n\u2028' });
    texts.push(await publicText(id));
    const asker = signedIdentity({ broker: 'broker2' });
    const question = { title: 'Коли?', author: AUTHOR };
    expect((await send('POST', `/tenders/${id}/questions`, asker, question)).statusCode).toBe(201);
    texts.push(await publicText(id));
    running.clock.set('2026-05-10T00:00:00+03:00');
    await running.deps.externalInputs.runDue(10);
    running.clock.set(NOW);
    texts.push(await publicText(id));
    const rows = await publications(id);
    expect(rows.map((row) => row.text)).toEqual(texts);
    expect(rows.map((row) => row.sha256)).toEqual(texts.map((text) => createHash('sha256').update(text).digest('hex')));
    expect(rows.map((row) => [row.rev, row.revision, row.listed, row.is_test])).toEqual(
      [1, 2, 3, 4].map((rev) => [String(rev), rev, true, false]),
    );
    expect(causesOf(rows)).toEqual([['tender.created'], ['tender.edited'], ['question.asked'], ['clock']]);
  });

  it('begins when a tender leaves draft: a draft moves neither the feed nor the log, whatever changes it', async () => {
    const draft = await created({ status: 'draft' });
    const { id, owner } = draft;
    const before = await counts();
    const document = { id: 'd'.repeat(32), title: 'a.pdf' };
    const facts = { id, version: 1, documents: [{ parent: { kind: 'tender', id }, document }] };
    await transact(running.database.pool, async (tx) =>
      running.deps.externalInputs.apply(tx, [{ id, input: { type: 'ReplaceDocuments', facts } }], 'test'),
    );
    const shown = await send('GET', `/tenders/${id}`, anonymousIdentity());
    expect([shown.headers.etag, shown.json().data.documents]).toEqual(['"2-2.5"', [document]]);
    expect(await counts()).toMatchObject({ ...(before as object), versions: expect.anything() });
    expect(await publications(id)).toEqual([]);
    await send('PATCH', `/tenders/${id}`, owner, { status: 'active.enquiries' });
    const rows = await publications(id);
    expect(rows.map((row) => [row.rev, row.listed, row.revision, row.number === null])).toEqual([
      ['3', true, 1, false],
    ]);
    expect(rows[0]?.text).toBe(await publicText(id));
  });

  it('has what becomes a draft again, and its changes, without text and number', async () => {
    const { id } = await created();
    const administrator = signedIdentity({ broker: 'root', group: 'Administrator' });
    for (const change of [{ status: 'draft' }, { mode: 'test' }, { status: 'active.enquiries' }])
      expect((await send('PATCH', `/tenders/${id}`, administrator, change)).statusCode).toBe(200);
    const rows = await publications(id);
    expect(rows.map((row) => [row.rev, row.listed, row.revision, row.number === null, row.text === null])).toEqual([
      ['1', true, 1, false, false],
      ['2', false, null, true, true],
      ['3', false, null, true, true],
      ['4', true, 2, false, false],
    ]);
  });

  it('has no row for a change that the view does not show', async () => {
    const { id } = await created();
    const facts = { id, version: 3, documents: [] };
    await transact(running.database.pool, async (tx) =>
      running.deps.externalInputs.apply(tx, [{ id, input: { type: 'ReplaceDocuments', facts } }], 'test'),
    );
    const { rows } = await running.database.pool.query('SELECT version FROM tender WHERE id = $1', [id]);
    expect(rows).toEqual([{ version: '2' }]);
    expect(await publications(id)).toHaveLength(1);
  });

  it('is one chain without a gap, and without a gap in the numbers, under concurrent writers', async () => {
    const tenders = await Promise.all(Array.from({ length: TENDERS }, async () => created()));
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < CHANGES; n += 1) {
          const tender = tenders[(writer + n) % TENDERS];
          await send('PATCH', `/tenders/${tender?.id}`, tender?.owner ?? {}, { description: `${writer} ${n}` });
        }
      }),
    );
    const rows = await publications();
    expect(rows.length).toBeGreaterThanOrEqual(TENDERS + WRITERS * CHANGES);
    rows.forEach((row, n) => expect(row.previous).toBe(rows[n - 1]?.stamp ?? '0'));
    const numbers = rows.flatMap((row) => (row.number === null ? [] : [Number(row.number)]));
    expect(numbers).toEqual(numbers.map((_, n) => n + 1));
    for (const { id } of tenders) {
      const ofTender = await publications(id);
      expect(ofTender.map((row) => row.revision)).toEqual(ofTender.map((_, n) => n + 1));
      expect(ofTender.at(-1)?.text).toBe(await publicText(id));
    }
  });

  it('leaves nothing of a change that is rolled back', async () => {
    const { id, owner } = await created();
    const before = await counts();
    await running.database.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
      CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON tender_publication DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse();`);
    expect((await send('PATCH', `/tenders/${id}`, owner, { title: 'x' })).statusCode).toBe(500);
    await running.database.pool.query('DROP FUNCTION refuse() CASCADE');
    expect(await counts()).toEqual(before);
    expect((await send('PATCH', `/tenders/${id}`, owner, { title: 'x' })).statusCode).toBe(200);
    const rows = await publications();
    expect(rows.at(-1)?.previous).toBe(rows.at(-2)?.stamp);
    expect(Number(rows.at(-1)?.number)).toBe(Number(rows.at(-2)?.number) + 1);
  });

  it('has a bit for each of several inputs in one save', async () => {
    const { id } = await created();
    running.clock.set('2026-05-20T18:00:00+03:00');
    await running.deps.externalInputs.runOne(id, () => 0);
    const bids = ['a', 'b'].map((letter) => ({ id: letter.repeat(32), lots: [] }));
    await transact(running.database.pool, async (tx) => {
      const planned = { type: 'PlanAuction', startDate: '2026-05-21T11:00:00+03:00', version: 1 } as const;
      await running.deps.externalInputs.apply(
        tx,
        [
          { id, input: { type: 'SealBids', bids } },
          { id, input: planned },
          { id, input: { type: 'OpenBids', bids: [] } },
        ],
        'test',
      );
    });
    running.clock.set(NOW);
    expect(causesOf(await publications(id)).at(-1)).toEqual(['bids.closed', 'auction.planned']);
  });

  it('tells of the clock when facts as before complete a tender whose time has come', async () => {
    const { id } = await created();
    const apply = async (...inputs: readonly ExternalInput[]): Promise<void> =>
      transact(running.database.pool, async (tx) =>
        running.deps.externalInputs.apply(
          tx,
          inputs.map((input) => ({ id, input })),
          'test',
        ),
      );
    running.clock.set('2026-05-20T18:00:00+03:00');
    await running.deps.externalInputs.runOne(id, () => 0);
    const bids = [{ id: padId('b0'), lots: [] }];
    const end = '2026-05-30T18:00:00+03:00';
    const award = { ...awardFact, complaintPeriod: { startDate: awardFact.date, endDate: end } };
    const facts = { id, version: 1, awards: [award], contracts: [] };
    await apply({ type: 'SealBids', bids }, { type: 'OpenBids', bids }, { type: 'ReplaceAwards', facts });
    running.clock.set(end);
    await apply({ type: 'ReplaceAwards', facts: { ...facts, version: 2 } });
    running.clock.set(NOW);
    const rows = await publications(id);
    expect(JSON.parse(rows.at(-1)?.text ?? '').data.status).toBe('unsuccessful');
    expect(causesOf(rows).slice(-2)).toEqual([['awards.changed', 'bids.closed', 'bids.opened'], ['clock']]);
  });

  it('is not written with PUBLICATIONS=off', async () => {
    const { id } = await created();
    await transact(running.database.pool, async (tx) => {
      const before = await loadTender(tx, id, { lock: true });
      if (before === undefined) throw new Error('no tender');
      const document = { ...before.state.document, title: 'x' };
      const state = { ...before.state, document, version: before.state.version + 1 };
      const save = { before, state, events: [], causes: [] };
      const { settings } = running.deps;
      await saveTenders(tx, { outbox: running.outbox, settings, logsPublications: false }, [save], {
        now: running.clock.now(),
        requestId: 'test',
      });
    });
    expect(await publicText(id)).toContain('"title":"x"');
    expect(await publications(id)).toHaveLength(1);
    // So that the chain of the other tests has no gap.
    await running.database.pool.query('DELETE FROM tender_feed WHERE tender_id = $1', [id]);
  });
});

describe('beginFeedEpoch (decision 0079)', () => {
  async function epochs(): Promise<readonly { epoch: string; restored_to: string; began: string }[]> {
    return (await running.database.pool.query('SELECT * FROM feed_epoch ORDER BY epoch')).rows;
  }

  it('records an epoch once, whatever replicas start with it, and nothing for an earlier one', async () => {
    await created();
    const { rows } = await running.database.pool.query('SELECT max(stamp) AS head FROM tender_feed');
    await Promise.all([1, 3, 3, 3].map(async (epoch) => beginFeedEpoch(running.database.pool, epoch)));
    await beginFeedEpoch(running.database.pool, 2);
    const last = (await epochs()).at(-1);
    expect((await epochs()).filter(({ epoch }) => epoch === '3' || epoch === '2')).toHaveLength(1);
    expect(last).toMatchObject({ epoch: '3', restored_to: rows[0].head });
    const { id } = await created();
    const [first] = await publications(id);
    expect(BigInt(last?.began ?? 0) > BigInt(rows[0].head)).toBe(true);
    expect(BigInt(first?.stamp ?? 0) > BigInt(last?.began ?? 0)).toBe(true);
  });
});

describe('purgePublications (decision 0079)', () => {
  it('deletes what is older with its text, in order, and keeps the newest listed publication', async () => {
    const { pool } = running.database;
    const { id } = await created();
    const rows = await publications();
    const oldest = rows.slice(0, 5);
    const age = async (days: number, before: string): Promise<unknown> =>
      pool.query('UPDATE tender_publication SET stamp = stamp - $1 WHERE stamp <= $2', [days * DAY_MICROS, before]);
    await age(8, oldest.at(-1)?.stamp ?? '0');
    expect(await purgePublications(pool, 9)).toBe(0);
    expect(await purgePublications(pool, 7)).toBe(5);
    expect((await publications()).map((row) => row.stamp)).toEqual(rows.slice(5).map((row) => row.stamp));
    const orphans = await pool.query(`SELECT FROM tender_publication_text
      WHERE NOT EXISTS (SELECT FROM tender_publication p WHERE (p.tender_id, p.version) =
        (tender_publication_text.tender_id, tender_publication_text.version))`);
    expect(orphans.rowCount).toBe(0);
    await age(30, rows.at(-1)?.stamp ?? '0');
    expect(await purgePublications(pool, 7)).toBe(rows.length - 6);
    expect((await publications()).map((row) => row.id)).toEqual([id]);
    await created();
    expect(Number((await publications()).at(-1)?.number)).toBe(Number(rows.at(-1)?.number) + 1);
  });

  it('leaves the work to a replica that is purging', async () => {
    const { pool } = running.database;
    await pool.query('UPDATE tender_publication SET stamp = stamp - $1', [30 * DAY_MICROS]);
    await transact(pool, async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(7270738003)');
      expect(await purgePublications(pool, 7)).toBe(0);
    });
    expect(await purgePublications(pool, 7)).toBe(1);
  });
});
