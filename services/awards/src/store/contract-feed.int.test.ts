import { describe, expect, it } from 'vitest';
import { createAwarded } from '../../test-support/awarding-fixtures.ts';
import { AFTER_STAND_STILL, anonymousHeaders, event, ownerHeaders, send } from '../../test-support/running-awards.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { unpublishedContracts } from '../../test-support/unpublished-contracts.ts';
import { onDocumentChanged } from '../events/on-document-changed.ts';
import { onTenderChanged } from '../events/on-tender-changed.ts';
import { republishContracts } from './republish-contracts.ts';
import { tenderReader } from './tender-reader.ts';
import { transact } from '@procurement/kit/database/transaction';
import { makeLog } from '@procurement/kit/runtime/log';
import { holdLock } from '@procurement/testing/held-lock';
import { waitFor } from '@procurement/testing/wait-for';

const running = setupAwards();
const documentsVersions = new Map<string, number>();

/** Applies a `document.changed` after which these are all documents of contracts of a tender. */
async function changeDocuments(tenderId: string, titles: Readonly<Record<string, string>>): Promise<void> {
  const version = (documentsVersions.get(tenderId) ?? 0) + 1;
  documentsVersions.set(tenderId, version);
  const documents = Object.entries(titles).map(([id, title]) => ({
    parent: { kind: 'contract', id },
    document: { id: `d${version}`, title },
  }));
  await running().apply(onDocumentChanged(running().deps), [
    event('documents', 'document.changed', tenderId, { id: tenderId, version, documents }, version),
  ]);
}

// The body of an answer; each test asserts its shape.
async function read(id: string): Promise<any> {
  return (await send(running().app, 'GET', `/contracts/${id}`, anonymousHeaders)).json().data;
}

async function feedFrom(after: bigint, limit = 1_000) {
  return running().deps.contracts.feed.rows({ descending: false, mode: 'all', after, limit }, false);
}

describe('a contract is published', () => {
  it('when it is created, changed, signed, gets documents or another owner: at the end of the feed, with a greater date', async () => {
    const { tender, contract, contractPath } = await createAwarded(running());
    const { contract: other, tender: otherTender } = await createAwarded(running());
    let last = '';
    const expectAtEnd = async (id: string): Promise<void> => {
      const shown = await read(id);
      expect((await feedFrom(0n)).at(-1)).toMatchObject({ id, dateModified: shown.dateModified });
      expect(shown.dateModified > last).toBe(true);
      last = shown.dateModified;
    };
    await expectAtEnd(other.id);
    expect((await send(running().app, 'PATCH', contractPath, ownerHeaders, { title: 'x' })).statusCode).toBe(200);
    await expectAtEnd(contract.id);
    await changeDocuments(otherTender.id, { [other.id]: 'draft.pdf' });
    await expectAtEnd(other.id);
    running().clock.set(AFTER_STAND_STILL);
    expect((await send(running().app, 'PATCH', contractPath, ownerHeaders, { status: 'active' })).statusCode).toBe(200);
    await expectAtEnd(contract.id);
    const owned = running().changeAtOwner(otherTender, { owner: 'broker7' });
    await running().apply(onTenderChanged(running().deps), [
      event('tenders', 'tender.changed', otherTender.id, owned, owned.version),
    ]);
    await expectAtEnd(other.id);
    expect(await read(contract.id)).toMatchObject({ status: 'active', title: 'x', tender_id: tender.id });
    expect(await read(other.id)).toMatchObject({ owner: 'broker7', documents: [{ title: 'draft.pdf' }] });
  });

  it('not when the public sees what it saw: another version of the tender, documents of other parents', async () => {
    const { tender, contract } = await createAwarded(running());
    const { dateModified } = await read(contract.id);
    const newer = running().changeAtOwner(tender, { status: 'complete' });
    await running().apply(onTenderChanged(running().deps), [
      event('tenders', 'tender.changed', tender.id, newer, newer.version),
    ]);
    await changeDocuments(tender.id, { [tender.id]: 'notice.pdf' });
    expect((await read(contract.id)).dateModified).toBe(dateModified);
  });

  it('without its documents, once the copy of them is removed', async () => {
    const { tender, contract } = await createAwarded(running());
    await changeDocuments(tender.id, { [contract.id]: 'draft.pdf' });
    const shown = await read(contract.id);
    const { copies } = onDocumentChanged(running().deps);
    await transact(running().database.pool, async (tx) => copies?.remove(tx, [tender.id]));
    const { documents, dateModified, ...rest } = await read(contract.id);
    expect([shown, documents]).toEqual([
      { ...rest, dateModified: shown.dateModified, documents: [expect.anything()] },
      undefined,
    ]);
    expect(dateModified > shown.dateModified).toBe(true);
  });

  it('not with documents whose awarding cannot be read: their event comes again', async () => {
    const { tender, contract } = await createAwarded(running());
    const { pool } = running().database;
    const { rows } = await pool.query('SELECT document FROM awarding WHERE tender_id = $1', [tender.id]);
    const store = async (document: string) =>
      pool.query('UPDATE awarding SET document = $2 WHERE tender_id = $1', [tender.id, document]);
    await store('{');
    const change = async () => changeDocuments(tender.id, { [contract.id]: 'draft.pdf' });
    await expect(change()).rejects.toThrow(`awardings that cannot be read: ${tender.id}`);
    await store(rows[0].document);
    await change();
    expect(await read(contract.id)).toMatchObject({ documents: [{ title: 'draft.pdf' }] });
  });

  it('with documents whose tender the copy has lost: its owner is asked', async () => {
    const { tender, contract } = await createAwarded(running());
    await running().database.pool.query(`DELETE FROM kit.replica WHERE kind = 'tender' AND id = $1`, [tender.id]);
    await changeDocuments(tender.id, { [contract.id]: 'draft.pdf' });
    expect(await read(contract.id)).toMatchObject({ owner: tender.owner, documents: [{ title: 'draft.pdf' }] });
  });

  it('with the owner of facts that come while a decision waits for its tender', async () => {
    const { tender, contract, contractPath } = await createAwarded(running());
    const lock = 'SELECT FROM awarding WHERE tender_id = $1 FOR UPDATE';
    const held = await holdLock(running().database.url, lock, [tender.id]);
    const patching = send(running().app, 'PATCH', contractPath, ownerHeaders, { title: 'x' });
    await held.someoneWaits();
    const owned = running().changeAtOwner(tender, { owner: 'broker7' });
    await running().deps.tenders.refresh(tender.id);
    await held.release();
    expect((await patching).statusCode).toBe(200);
    expect(await read(contract.id)).toMatchObject({ title: 'x', owner: owned.owner });
  });
});

describe('unpublishedContracts', () => {
  it('finds a contract that was stored and not published', async () => {
    const { tender, contract } = await createAwarded(running());
    const { pool } = running().database;
    const { rows } = await pool.query('SELECT document FROM awarding WHERE tender_id = $1', [tender.id]);
    const changed = rows[0].document.replace('"status":"pending","date"', '"status":"active","date"');
    const store = async (document: string) =>
      pool.query('UPDATE awarding SET document = $2 WHERE tender_id = $1', [tender.id, document]);
    expect(changed).not.toBe(rows[0].document);
    await store(changed);
    expect(await unpublishedContracts(pool)).toEqual([contract.id]);
    await store(rows[0].document);
    expect(await unpublishedContracts(pool)).toEqual([]);
  });
});

describe('republish-contracts', () => {
  const run = async (...args: readonly string[]) => {
    const lines: string[] = [];
    const currentTenders = tenderReader(running().bus);
    const deps = { pool: running().database.pool, log: makeLog('awards', 'fatal'), currentTenders };
    return { code: await republishContracts(args, deps, (line) => lines.push(line)), lines };
  };

  it('gives the contracts since a time new positions, and no others', async () => {
    const { contract: before } = await createAwarded(running());
    const { contract } = await createAwarded(running());
    const [shownBefore, shown] = [await read(before.id), await read(contract.id)];
    const { code, lines } = await run('--since', shown.dateModified);
    expect([code, lines]).toEqual([0, ['1 contracts published again']]);
    expect(await read(before.id)).toEqual(shownBefore);
    const again = await read(contract.id);
    expect(again).toEqual({ ...shown, dateModified: again.dateModified });
    expect(again.dateModified > shown.dateModified).toBe(true);
    expect((await feedFrom(0n)).at(-1)).toMatchObject({ id: contract.id, dateModified: again.dateModified });
  });

  it('publishes all since the beginning once each, in several batches', async () => {
    const total = (await feedFrom(0n)).length;
    expect((await run('--since', '1970-01-02T00:00:00Z')).lines).toEqual([`${total} contracts published again`]);
    expect((await feedFrom(0n)).length).toBe(total);
  });

  it.each([[[]], [['--since', 'yesterday']]])('refuses %j', async (args) => {
    expect((await run(...args)).code).toBe(2);
  });
});

describe('the feed of contracts under concurrent writers (contracting.md 13, K4)', () => {
  const CONTRACTS = 24;
  const WRITERS = 8;
  const CHANGES = 12;

  it('delivers the last change of every contract to every reader while transactions commit late', async () => {
    const { pool } = running().database;
    // Delays writers between the row and the publication: a feed in the order of a clock before the commit would skip changes.
    await pool.query(`CREATE FUNCTION delay_update() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(random() * 0.02); RETURN NEW; END $$;
      CREATE TRIGGER delay_update BEFORE UPDATE ON awarding FOR EACH ROW EXECUTE FUNCTION delay_update();`);
    const all = await Promise.all(Array.from({ length: CONTRACTS }, async () => createAwarded(running())));
    let isOver = false;
    const readFeed = async (): Promise<ReadonlyMap<string, string>> => {
      const seen = new Map<string, string>();
      for (let after = 0n; ;) {
        const wasOver = isOver;
        const page = await feedFrom(after, 7);
        for (const row of page) {
          expect(row.stamp > after).toBe(true);
          after = row.stamp;
          seen.set(row.id, row.dateModified);
          expect((await read(row.id)).dateModified >= row.dateModified).toBe(true);
        }
        if (wasOver && page.length === 0) return seen;
      }
    };
    const readers = [readFeed(), readFeed()];
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < CHANGES; n += 1) {
          const one = all[(writer + WRITERS * n) % CONTRACTS];
          if (one === undefined) throw new Error('no contract');
          // Documents of a tender come in order, so one writer changes them.
          if (n % 3 === 2) await changeDocuments(one.tender.id, { [one.contract.id]: `${writer} ${n}` });
          else
            await waitFor(
              async () =>
                (await send(running().app, 'PATCH', one.contractPath, ownerHeaders, { title: `${writer} ${n}` }))
                  .statusCode === 200,
              { what: 'a change of a contract' },
            );
        }
      }),
    );
    isOver = true;
    const seen = await Promise.all(readers);
    const now = new Map(
      await Promise.all(
        all.map(async ({ contract }) => [contract.id, (await read(contract.id)).dateModified] as const),
      ),
    );
    for (const dates of seen) for (const [id, date] of now) expect(dates.get(id)).toBe(date);
  });
});
