import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { waitFor } from '@procurement/testing/wait-for';
import pg from 'pg';
import { broker } from '../support/broker.ts';
import { publish } from '../support/published-tender.ts';
import { interfaceTender } from '../support/request-bodies.ts';
import { prepareBidLoad } from './bids.ts';
import { median } from './load.ts';
import { sumMs } from './process-cpu.ts';
import type { BenchmarkRow } from './row.ts';
import { withRegister } from './with-register.ts';
import { costOfEach, PATCH, POST, repeat, startWriter, type Writer } from './writes.ts';

const WRITERS = 8;
const ROUNDS = 3;
const SECONDS = 3;
const PUBLISHING_SECONDS = 8;
/** Time after which releases are projected and checkpoints published. */
const FOLLOWED_MS = 3_000;
/**
 * The rows of space measure so many revisions of each of so many tenders of 4 to 8 KB (register.md 7.5, H4). Each of 40 tables and indexes ends
 * with a page of 8 KB that is not full: among 100 tenders these are 1.5 kB of each.
 */
const TENDERS = 300;
const REVISIONS = 10;
const WAIT_MS = 300_000;
/** Selects the bytes of tables. Callers leave out releases of OCDS, as `register.md` 13 does. */
const OWN_TABLES = `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
  WHERE relnamespace IN ('public'::regnamespace, 'kit'::regnamespace) AND relkind = 'r'`;

/** What following costs the writers (register.md 13, B1), how fast publications are applied (B10), and what they occupy (B14). */
export async function followingRows(stack: Stack): Promise<BenchmarkRow[]> {
  return [...(await writerRows(stack)), ...(await applyRows(stack)), ...(await spaceRows(stack))];
}

/**
 * What a request may cost, against the same without followers. What follows a change costs at most as much as the change itself. Nothing follows
 * a bid, which is not public: 1.3 is what rounds differ by.
 */
const COST_BARS = { 'POST of a tender': 2, 'PATCH of a tender': 2, 'POST of a bid': 1.3 };

/** Loads of `SECONDS`, each of which returns its number of requests. */
type Loads = Readonly<Record<keyof typeof COST_BARS, () => Promise<number>>>;

/** Tenders do not start without the log of publications where there is a ledger. */
function withoutLedger({
  LEDGER_ORIGIN: origin,
  ...env
}: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return origin !== undefined && 'FEED_SECRET' in env
    ? env
    : { ...env, ...(origin === undefined ? {} : { LEDGER_ORIGIN: origin }) };
}

/**
 * The same writes here and at a system without the log, a register and a ledger, in turns, on the same cores. Two cores that are
 * always busy have rates that only say how the processor time is shared, so the bar is for processor time.
 */
async function writerRows(stack: Stack): Promise<BenchmarkRow[]> {
  const bare = await startStack({ env: { PUBLICATIONS: 'off' }, adjustEnv: withoutLedger });
  try {
    await Promise.all([bare.parts.register.stop(), bare.parts.ledger.stop()]);
    const [own, without] = [await prepareLoads(stack), await prepareLoads(bare)];
    const rows: BenchmarkRow[] = [];
    for (const name of Object.keys(COST_BARS) as (keyof Loads)[]) {
      await Promise.all([own[name](), without[name]()]);
      const rounds: { readonly own: number; readonly without: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const cost = await costOfEach(stack, own[name], FOLLOWED_MS);
        const bareCost = await costOfEach(bare, without[name], FOLLOWED_MS);
        if (cost === undefined || bareCost === undefined) return [];
        rounds.push({ own: sumMs(cost.parts), without: sumMs(bareCost.parts) });
      }
      const middle = median(rounds, (round) => round.own / round.without);
      rows.push({
        what: `processor time of a ${name}, with the log, a register and a ledger, against none of them (B1)`,
        ratio: middle.own / middle.without,
        atMost: COST_BARS[name],
        figures: `${middle.own.toFixed(2)} ms of ${middle.without.toFixed(2)} ms`,
      });
    }
    return rows;
  } finally {
    await bare.stop();
  }
}

async function prepareLoads(stack: Stack): Promise<Loads> {
  const writers = await startWriters(stack);
  const bid = await prepareBidLoad(stack);
  return {
    'POST of a tender': async () => (await repeat(writers, SECONDS, POST)).latenciesMs.length,
    'PATCH of a tender': async () => (await repeat(writers, SECONDS, PATCH)).latenciesMs.length,
    'POST of a bid': async () => (await bid(SECONDS)).perSecond * SECONDS,
  };
}

async function startWriters(stack: Stack): Promise<readonly Writer[]> {
  return Promise.all(Array.from({ length: WRITERS }, async (_, n) => startWriter(stack, n)));
}

/** Publications of eight writers, applied by a register that was away meanwhile. */
async function applyRows(stack: Stack): Promise<BenchmarkRow[]> {
  const writers = await startWriters(stack);
  await caughtUp(stack);
  await stack.parts.register.stop();
  const published = await repeat(writers, PUBLISHING_SECONDS, PATCH);
  const before = await revisionCount(stack);
  const started = stack.parts.register.start();
  let beganAt = performance.now();
  const hasBegun = async (): Promise<boolean> => {
    const askedAt = performance.now();
    if ((await revisionCount(stack)) > before) return true;
    beganAt = askedAt;
    return false;
  };
  await waitFor(hasBegun, { what: 'the follower', timeoutMs: WAIT_MS });
  await caughtUp(stack);
  const perSecond = ((await revisionCount(stack)) - before) / ((performance.now() - beganAt) / 1_000);
  await started;
  const figures = `${Math.round(perSecond)}/s, published at ${Math.round(published.perSecond)}/s`;
  return [
    { what: 'publications applied, of 500/s (B10)', ratio: perSecond / 500, atLeast: 1, figures },
    {
      what: 'publications applied, against the rate of eight writers (B10)',
      ratio: perSecond / published.perSecond,
      atLeast: 1.5,
      figures,
    },
  ];
}

async function spaceRows(stack: Stack): Promise<BenchmarkRow[]> {
  const before = await packedSizes(stack);
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const [item] = interfaceTender()['items'] as object[];
  const items = Array.from({ length: 4 }, (_, n) => ({ ...item, id: n === 0 ? 'cases' : `cases-${n}` }));
  for (let n = 0; n < TENDERS; n += 1) {
    const { path, tokenQuery } = await publish(buyer, { ...interfaceTender(), items });
    for (let rev = 2; rev <= REVISIONS; rev += 1) {
      const { status } = await buyer.patch(path + tokenQuery, { description: `revision ${rev} of ${n}` });
      if (status !== 200) throw new Error(`PATCH of a tender answered ${status}`);
    }
  }
  await caughtUp(stack);
  const after = await packedSizes(stack);
  const revision = (after.history - before.history) / (TENDERS * REVISIONS);
  const tender = (after.all - before.all) / TENDERS;
  return [
    {
      what: `bytes of a packed revision with its indexes, of 700 (B14)`,
      ratio: revision / 700,
      atMost: 1,
      figures: `${Math.round(revision)} bytes, ${REVISIONS} revisions of each of ${TENDERS} tenders`,
    },
    {
      what: 'bytes of a tender without releases, of 14 kB (B14)',
      ratio: tender / 14_000,
      atMost: 1,
      figures: `${Math.round(tender)} bytes`,
    },
  ];
}

interface Sizes {
  /** Bytes of revisions and packs. */
  readonly history: number;
  /** Bytes of everything but releases. */
  readonly all: number;
}

/** Packs everything, then measures without the space of earlier versions of rows. */
async function packedSizes(stack: Stack): Promise<Sizes> {
  const { env } = stack.serviceOptions('register');
  const main = fileURLToPath(new URL('../../services/register/dist/bundle/dist/main.js', import.meta.url));
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await promisify(execFile)(process.execPath, [main, 'pack', tomorrow], {
    env: { ...process.env, ...env, EXIT_WITH_PARENT: 'off' },
  });
  return withRegister(stack, async (client) => {
    const readSize = async (where: string): Promise<number> => {
      const { rows } = await client.query<{ bytes: number | null }>(`${OWN_TABLES} AND ${where}`);
      return rows[0]?.bytes ?? 0;
    };
    await client.query('VACUUM FULL');
    return {
      history: await readSize("relname IN ('revision', 'revision_pack')"),
      all: await readSize("relname NOT LIKE 'ocds%'"),
    };
  });
}

async function revisionCount(stack: Stack): Promise<number> {
  return withRegister(stack, async (client) => {
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::integer AS count FROM revision');
    return rows[0]?.count ?? 0;
  });
}

/** Waits until everything that is published now was applied. */
async function caughtUp(stack: Stack): Promise<void> {
  const client = new pg.Client({ connectionString: stack.databaseUrl('tenders') });
  await client.connect();
  const { rows } = await client.query<{ head: string }>(
    'SELECT coalesce(max(stamp), 0) AS head FROM tender_publication',
  );
  await client.end();
  const head = BigInt(rows[0]?.head ?? 0);
  const position = async (): Promise<bigint> =>
    withRegister(stack, async (register) => {
      const found = await register.query<{ position: string }>('SELECT position FROM follow');
      return BigInt(found.rows[0]?.position ?? 0);
    });
  await waitFor(async () => (await position()) >= head, { what: 'the register', timeoutMs: WAIT_MS });
}
