import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { requestsTo, type CreatedTender } from '../../test-support/requests.ts';
import { runningTenders, type RunningTenders } from '../../test-support/running-tenders.ts';

let running: RunningTenders;
const { send, created } = requestsTo(() => running);

beforeAll(async () => {
  running = await runningTenders();
});

afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(running.database.pool, 'query');
});

afterAll(async () => {
  await running.close();
});

async function patch({ id, owner }: CreatedTender, title: string): ReturnType<typeof send> {
  return send('PATCH', `/tenders/${id}`, owner, { title });
}

/** Calls `before` ahead of every statement of the pool that has a name. Statements of transactions are not of the pool. */
function beforeStatements(before: (name: string) => Promise<void>): void {
  const { pool } = running.database;
  const query = pool.query.bind(pool) as (given: unknown) => Promise<unknown>;
  const spy = async (given: unknown): Promise<unknown> => {
    if (typeof given === 'object' && given !== null && 'name' in given) await before(String(given.name));
    return query(given);
  };
  // Hides the method of the class until afterEach.
  Object.defineProperty(pool, 'query', { value: spy, configurable: true });
}

describe('a change of a tender (decision 0080)', () => {
  it('takes one statement to load and one to save, and the answer none', async () => {
    const tender = await created();
    const names: string[] = [];
    beforeStatements(async (name) => void names.push(name));
    const connect = vi.spyOn(running.database.pool, 'connect');
    expect((await patch(tender, 'x')).json().data).toMatchObject({ title: 'x', dateModified: expect.any(String) });
    expect(names).toEqual(['tender-load-false', 'tenders-save']);
    // The pool connects by itself for each of the two.
    expect(connect).toHaveBeenCalledTimes(2);
  });

  it('is decided again by the state that overtook it', async () => {
    const tender = await created();
    let isFirst = true;
    beforeStatements(async (name) => {
      if (name !== 'tenders-save' || !isFirst) return;
      isFirst = false;
      await running.deps.externalInputs.runOne(tender.id, () => 1_000);
    });
    expect((await patch(tender, 'y')).json().data).toMatchObject({ title: 'y' });
    expect(await running.deps.tenders.state(tender.id)).toMatchObject({ version: 3, clockShift: 1_000 });
  });

  it('is made under the lock of the row after three losses', async () => {
    const tender = await created();
    const other = await running.database.pool.connect();
    let losses = 0;
    beforeStatements(async (name) => {
      if (name !== 'tenders-save') return;
      losses += 1;
      await other.query('UPDATE tender SET version = version + 1 WHERE id = $1', [tender.id]);
    });
    expect((await patch(tender, 'z')).json().data).toMatchObject({ title: 'z' });
    const { rows } = await other.query('SELECT version, public_rev FROM tender WHERE id = $1', [tender.id]);
    other.release();
    expect([losses, rows]).toEqual([3, [{ version: '5', public_rev: '2' }]]);
  });

  it('waits for no other tender: one whose row is held does not delay the others', async () => {
    const [held, free] = await Promise.all([created(), created()]);
    const holder = await running.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM tender WHERE id = $1 FOR UPDATE', [held.id]);
    let isAnswered = false;
    const heldAnswer = patch(held, 'held').finally(() => (isAnswered = true));
    expect((await patch(free, 'free')).statusCode).toBe(200);
    expect((await patch(free, 'free again')).statusCode).toBe(200);
    expect(isAnswered).toBe(false);
    await holder.query('ROLLBACK');
    holder.release();
    expect((await heldAnswer).statusCode).toBe(200);
  });

  it('fails alone: one that the database refuses does not fail others of the same moment', async () => {
    const tenders = await Promise.all(Array.from({ length: 4 }, async () => created()));
    await running.database.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.tail LIKE '%refused%' THEN RAISE EXCEPTION 'refused'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON tender_publication_text FOR EACH ROW EXECUTE FUNCTION refuse();`);
    const answers = await Promise.all(
      tenders.map(async (tender, n) => patch(tender, n === 1 ? 'refused' : 'accepted')),
    );
    await running.database.pool.query('DROP FUNCTION refuse() CASCADE');
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 500, 200, 200]);
  });
});
