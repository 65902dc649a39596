import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Stack } from '@procurement/local-stack/stack';
import { TILE_WIDTH } from '@procurement/proof/tiles';
import { waitFor } from '@procurement/testing/wait-for';
import { broker } from '../support/broker.ts';
import { queryService } from '../support/hold-row.ts';
import { VERIFIER } from '../support/procurement-program.ts';
import { readCheckpoint } from '../support/public-log.ts';
import { publish } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { median } from './load.ts';
import { p99, paced } from './paced.ts';
import { cpuBetween, stackCpuMs } from './process-cpu.ts';
import { memoryBytes } from './process-memory.ts';
import type { BenchmarkRow } from './row.ts';

const MEGABYTE = 1_000_000;
const REVISIONS = 50;
const WRITERS = 20;
const WRITES_PER_SECOND = 20;
const WRITE_SECONDS = 60;
/** Entries of an ordinary run. The bars are of a million and of ten millions: figures are carried on from here. */
const ENTRIES = 100_000;
const PAGE = 10_000;
/** What the verifier keeps: 40 bytes of each state, twice while their table grows, and the ids of tenders. */
const VERIFIER_BYTES_OF_ENTRY = 100;
const WAIT_MS = 3_600_000;

/** The verifier for one tender, and how soon a commit is in a published checkpoint (proof.md 7). */
export async function publicLogRows(stack: Stack): Promise<BenchmarkRow[]> {
  return [await latencyRow(stack), await tenderRow(stack)];
}

interface HeadRow {
  readonly size: number;
  readonly published: number;
  readonly position: number;
}

async function readHead(stack: Stack): Promise<HeadRow> {
  const [row] = await queryService<HeadRow & Record<string, unknown>>(
    stack,
    'ledger',
    'SELECT size::float8, published::float8, position::float8 FROM head',
  );
  if (row === undefined) throw new Error('the log has not begun');
  return row;
}

/** Waits until everything that tenders has published is in the published checkpoint. */
async function logged(stack: Stack): Promise<HeadRow> {
  const [feed] = await queryService<{ head: number }>(
    stack,
    'tenders',
    'SELECT coalesce(max(stamp), 0)::float8 AS head FROM tender_feed',
  );
  let head = await readHead(stack);
  const isLogged = async (): Promise<boolean> => {
    head = await readHead(stack);
    return head.position >= (feed?.head ?? 0) && head.published === head.size;
  };
  await waitFor(isLogged, { what: 'the log', timeoutMs: WAIT_MS, intervalMs: 200 });
  return head;
}

/** Positions are the times of commits in microseconds, by the clock of this machine, on which checkpoints are asked for too. */
async function latencyRow(stack: Stack): Promise<BenchmarkRow> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const tenders = await Promise.all(Array.from({ length: WRITERS }, async () => publish(buyer, minimalTender())));
  const { size: first } = await logged(stack);
  const seen: { readonly size: number; readonly atMs: number }[] = [];
  let isEnded = false;
  const watch = async (): Promise<void> => {
    while (!isEnded) {
      const { size } = await readCheckpoint(stack);
      if (size !== seen.at(-1)?.size) seen.push({ size, atMs: Date.now() });
      await pause(50);
    }
  };
  const watching = watch();
  const answersMs: number[] = [];
  let sent = 0;
  const send = async (): Promise<{ readonly status: number }> => {
    const { path, tokenQuery } = tenders[sent % WRITERS] ?? tenders[0] ?? { path: '', tokenQuery: '' };
    return buyer.patch(path + tokenQuery, { description: `change ${(sent += 1)}` });
  };
  await paced(answersMs, {
    perSecond: WRITES_PER_SECOND,
    durationMs: WRITE_SECONDS * 1_000,
    expected: 200,
    send,
  });
  const { size } = await logged(stack);
  await waitFor(async () => (seen.at(-1)?.size ?? 0) >= size, { what: 'the checkpoint', timeoutMs: WAIT_MS });
  isEnded = true;
  await watching;
  const leaves = await queryService<{ index: number; position: number }>(
    stack,
    'ledger',
    'SELECT index::float8, position::float8 FROM leaf WHERE index >= $1 ORDER BY index',
    [first],
  );
  const latenciesMs = leaves.map(({ index, position }) => {
    const checkpoint = seen.find((one) => one.size > index);
    return checkpoint === undefined ? Infinity : checkpoint.atMs - position / 1_000;
  });
  const late = p99(latenciesMs);
  return {
    what: `from commit to published checkpoint at ${WRITES_PER_SECOND} writes/s, p99, of 12 s`,
    ratio: late / 12_000,
    atMost: 1,
    figures: `p50 ${seconds(median(latenciesMs, (ms) => ms))}, p99 ${seconds(late)}, ${leaves.length} entries`,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

async function tenderRow(stack: Stack): Promise<BenchmarkRow> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  const { id, path, tokenQuery } = await publish(buyer, minimalTender());
  for (let rev = 2; rev <= REVISIONS; rev += 1) {
    const { status } = await buyer.patch(path + tokenQuery, { description: `revision ${rev}` });
    if (status !== 200) throw new Error(`PATCH of a tender answered ${status}`);
  }
  await logged(stack);
  const { ms, size } = await withTrust(stack, async (verify) => verify('tender', id));
  return {
    what: `verify-procurement tender of ${REVISIONS} revisions, of 3 s`,
    ratio: ms / 3_000,
    atMost: 1,
    figures: `${seconds(ms)}, a log of ${size} entries`,
  };
}

interface Verified {
  readonly ms: number;
  readonly size: number;
  /** The greatest resident memory in MB. */
  readonly residentMb: number;
}

type Verify = (...words: readonly string[]) => Promise<Verified>;

/** Runs the verifier as a reader does who trusts this log. Throws unless everything is proven. */
async function withTrust<T>(stack: Stack, use: (verify: Verify) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'verifier-'));
  const verify: Verify = async (...words) => {
    const begunMs = performance.now();
    const child = spawn(process.execPath, [VERIFIER, '--home', home, '--json', ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let residentMb = 0;
    const watcher = setInterval(() => {
      const peakMb = memoryBytes(child.pid ?? 0, 'VmHWM') / MEGABYTE;
      if (peakMb > residentMb) residentMb = peakMb;
    }, 50);
    const ended = once(child, 'exit');
    const printed = await text(child.stdout);
    const [exit] = await ended;
    clearInterval(watcher);
    if (exit !== 0) throw new Error(`verify-procurement ${words.join(' ')} ended with ${exit}: ${printed}`);
    // `trust` prints no JSON.
    const { size = 0 } = words[0] === 'trust' ? {} : (JSON.parse(printed) as { readonly size?: number });
    return { ms: performance.now() - begunMs, size, residentMb };
  };
  try {
    await verify('trust', `${stack.gatewayUrl}/log`, '--yes');
    return await use(verify);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

// States of ten revisions each, after everything that was published. Lengths of texts are read, texts are not.
const FILL = `WITH last AS (SELECT (SELECT max(stamp) FROM tender_feed) AS stamp, (SELECT max(number) FROM tender_publication) AS number),
  rows AS (SELECT n, md5('entry' || n % tenders.count) AS id, n / tenders.count + 1 AS rev, last.stamp + n AS stamp, last.number + n + 1 AS number
    FROM last, (SELECT $1::bigint / 10 AS count) AS tenders, generate_series(1, $1::bigint) AS n),
  texts AS (INSERT INTO tender_publication_text (tender_id, version, head, tail) SELECT id, rev, repeat('t', 3000), '' FROM rows),
  feed AS (INSERT INTO tender_feed (tender_id, stamp, rev, listed, is_test, entry, fast_fields)
    SELECT id, stamp, rev, true, false, '{}', '{}' FROM rows ORDER BY n DESC LIMIT 1)
  INSERT INTO tender_publication (stamp, previous, tender_id, version, rev, listed, is_test, causes, number, revision, sha256)
  SELECT stamp, stamp - 1, id, rev, rev, true, false, 0, number - 1, rev, sha256(id::bytea) FROM rows`;

/** A hash of each full tile of 10 M entries. */
const UPPER_HASHES_MB = 12;

/** A log of many entries. What it leaves in the database of tenders is no tender: nothing but the log can be measured afterwards. */
export async function largeLogRows(stack: Stack, entries = ENTRIES): Promise<BenchmarkRow[]> {
  const buyer = broker(stack.gatewayUrl, 'broker1', '2.5');
  await publish(buyer, minimalTender());
  await stack.parts.register.stop();
  const begun = await logged(stack);
  const ledger = stack.parts.ledger.pid();
  const idleMb = memoryBytes(ledger, 'VmRSS') / MEGABYTE;
  await queryService(stack, 'tenders', FILL, [entries]);
  // Its signal wakes the ledger.
  await publish(buyer, minimalTender());
  const before = stackCpuMs(stack);
  const rounds = await watchRounds(stack, begun.size + entries);
  const { size } = await logged(stack);
  const used = cpuBetween(before ?? new Map(), stackCpuMs(stack) ?? new Map());
  const formatCpu = (part: string): string => seconds(((used.get(part) ?? 0) * PAGE) / entries);
  const afterMb = memoryBytes(ledger, 'VmRSS') / MEGABYTE;
  const whole = await withTrust(stack, async (verify) => verify('log'));
  const rate = rounds.perSecond;
  const pageSeconds = median(rounds.pageMs, (ms) => ms) / 1_000;
  const ledgerMb = memoryBytes(ledger, 'VmHWM') / MEGABYTE;
  const minutes = (whole.ms * 1_000_000) / whole.size / 60_000;
  const verifierMb = whole.residentMb + (Math.max(0, 1_000_000 - whole.size) * VERIFIER_BYTES_OF_ENTRY) / 1_000_000;
  return [
    {
      what: `append of ${PAGE} entries, read, signed and published, of 1.5 s`,
      ratio: pageSeconds / 1.5,
      atMost: 1,
      figures: `${pageSeconds.toFixed(2)} s, middle of ${rounds.pageMs.length}; processor time of the ledger ${formatCpu('ledger')}, of PostgreSQL ${formatCpu('postgres')}`,
    },
    {
      what: 'entries logged, of 2,000/s',
      ratio: rate / 2_000,
      atLeast: 1,
      figures: `${Math.round(rate)}/s of ${entries}`,
    },
    {
      what: 'resident memory of the ledger with 10 M entries, greatest while it logged, of 168 MB (160 MiB, what a pod asks for)',
      ratio: (ledgerMb + UPPER_HASHES_MB) / 168,
      atMost: 1,
      figures: `${Math.round(ledgerMb)} MB, before ${Math.round(idleMb)} MB, afterwards ${Math.round(afterMb)} MB, and ${UPPER_HASHES_MB} MB for the hashes above tiles`,
    },
    ...(await storageRows(stack, size)),
    {
      what: 'verify-procurement log of 1 M entries, of 3 minutes',
      ratio: minutes / 3,
      atMost: 1,
      figures: `${minutes.toFixed(1)} minutes, carried on from ${seconds(whole.ms)} of ${whole.size} entries`,
    },
    {
      what: 'its resident memory, of 300 MB',
      ratio: verifierMb / 300,
      atMost: 1,
      figures: `${Math.round(verifierMb)} MB, carried on from ${Math.round(whole.residentMb)} MB by ${VERIFIER_BYTES_OF_ENTRY} bytes an entry`,
    },
  ];
}

/** Times between published checkpoints that are a page apart. They include the least time between two, a second. */
async function watchRounds(
  stack: Stack,
  end: number,
): Promise<{ readonly perSecond: number; readonly pageMs: readonly number[] }> {
  const seen: { readonly size: number; readonly atMs: number }[] = [];
  const isDone = async (): Promise<boolean> => {
    const { published: size } = await readHead(stack);
    if (size !== seen.at(-1)?.size) seen.push({ size, atMs: performance.now() });
    return size >= end;
  };
  await waitFor(isDone, { what: 'the entries', timeoutMs: WAIT_MS, intervalMs: 50 });
  const pageMs = seen.flatMap(({ size, atMs }, at) => {
    const before = seen[at - 1];
    // The first difference has the wait for the signal.
    return at > 1 && before !== undefined && size - before.size === PAGE ? [atMs - before.atMs] : [];
  });
  const [first, last] = [seen[1] ?? seen[0], seen.at(-1)];
  if (first === undefined || last === undefined || last === first) throw new Error('too few entries to measure');
  return { perSecond: ((last.size - first.size) * 1_000) / (last.atMs - first.atMs), pageMs };
}

async function storageRows(stack: Stack, size: number): Promise<BenchmarkRow[]> {
  const store = join((stack.serviceOptions('ledger').env['LEDGER_STORE'] ?? '').replace('folder:', ''), 'log', 'tile');
  const bundles = filesBelow(join(store, 'entries'));
  const tiles = filesBelow(store).filter((file) => !file.startsWith(join(store, 'entries')));
  const covered = bundles.length * TILE_WIDTH;
  const [row] = await queryService<{ bytes: number }>(
    stack,
    'ledger',
    `SELECT pg_total_relation_size('leaf')::float8 AS bytes`,
  );
  // A bundle has two bytes before each entry.
  const entry = sumSizes(bundles) / covered - 2;
  const hashes = sumSizes(tiles) / covered;
  const leaf = (row?.bytes ?? 0) / size;
  const buildRow = (what: string, bytes: number, most: number): BenchmarkRow => ({
    what: `bytes of a publication: ${what}, of ${most}`,
    ratio: bytes / most,
    atMost: 1,
    figures: `${bytes.toFixed(1)} bytes`,
  });
  return [buildRow('entry', entry, 220), buildRow('hash tiles', hashes, 33), buildRow('leaf with indexes', leaf, 200)];
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function sumSizes(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + statSync(file).size, 0);
}
