import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleStates, OCDS_ENV, projectAll, storeExample } from '../../test-support/ocds.ts';
import { runningService, type RunningService } from '../../test-support/running-service.ts';
import { setPosition, storeRevisions } from '../../test-support/stored-revisions.ts';
import { releasePackingStore } from './release-packing.store.ts';

let running: RunningService;

const EXAMPLES = ['paper', 'cancelled-before-opening', 'lots-cancelled'];
const PAPER = 'ocds-213czf-UA-2026-03-02-000001';
const END = 9_000_000_000_000_000n;

beforeAll(async () => {
  running = await runningService(OCDS_ENV);
  const { pool } = running.database;
  await setPosition(pool, 0n);
  for (const [n, name] of EXAMPLES.entries()) await storeExample(pool, name, String(2026 + n));
  await projectAll(pool);
});
afterAll(async () => {
  await running.close();
});

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

async function fetchAnswer(url: string): Promise<Answer> {
  const { statusCode, body, headers } = await running.get(url);
  const { date: _, 'x-request-id': _id, ...others } = headers;
  return { status: statusCode, body, headers: others };
}

/** Answers of every operation that reads releases, by address. */
async function allAnswers(): Promise<ReadonlyMap<string, Answer>> {
  const { rows } = await running.database.pool.query<{ ocid: string; id: string }>(
    'SELECT ocid, id FROM ocds_release ORDER BY seq',
  );
  const ocids = new Set(rows.map(({ ocid }) => ocid));
  const urls = [
    '/ocds/releases.json',
    '/ocds/records.json?embed=1&limit=2',
    '/ocds/releases.jsonl',
    '/ocds/releases.jsonl?since=2027-01-01',
    '/ocds/records.jsonl?embed=1',
    ...rows.map(({ ocid, id }) => `/ocds/releases/${ocid}/${id}`),
    ...[...ocids].flatMap((ocid) => [
      `/ocds/releases/${ocid}`,
      `/ocds/records/${ocid}`,
      `/ocds/records/${ocid}?embed=1`,
    ]),
    ...EXAMPLES.map((name) => `/ocds/tenders/2.5/${String(exampleStates(name)[0]?.['id'])}`),
  ];
  const answers = new Map<string, Answer>();
  for (const url of urls) answers.set(url, await fetchAnswer(url));
  for (let url: string | undefined = '/ocds/releases.json?limit=4'; url !== undefined;) {
    const answer = await fetchAnswer(url);
    answers.set(url, answer);
    const { links }: { readonly links?: { readonly next?: string } } = JSON.parse(answer.body);
    url = links?.next?.replace('https://procurement.example/api', '');
  }
  return answers;
}

async function fetchReleases(ocid: string): Promise<readonly unknown[]> {
  return JSON.parse((await fetchAnswer(`/ocds/releases/${ocid}`)).body).releases;
}

describe('releases in packs', () => {
  it('are answered byte for byte as from their rows', async () => {
    const { database, deps } = running;
    const hot = await allAnswers();
    const heads = await deps.ocds.page('releases', { limit: 1_000 });
    expect(new Set([...hot.values()].map(({ status }) => status))).toEqual(new Set([200]));
    const packing = releasePackingStore({ pool: database.pool, log: deps.log, waitsForArchive: false });
    expect(await packing.packBefore(END)).toMatchObject({ failedProcesses: 0 });
    expect((await database.pool.query('SELECT FROM ocds_release WHERE body IS NOT NULL')).rowCount).toBe(0);
    expect(await allAnswers()).toEqual(hot);
    // Pages end by the bytes of bodies.
    expect(await deps.ocds.page('releases', { limit: 1_000 })).toEqual(heads);
  });

  it('are answered together with later ones in rows', async () => {
    const { database, deps } = running;
    const { pool } = database;
    const before = await fetchReleases(PAPER);
    await releasePackingStore({ pool, log: deps.log, waitsForArchive: false }).packBefore(END);
    const tender = { ...exampleStates('paper').at(-1), title: 'Інша назва', dateModified: '2031-03-02T10:00:00+02:00' };
    await storeRevisions(pool, [{ rev: 100, tender }]);
    expect(await projectAll(pool)).toBe(1);
    const after = await fetchReleases(PAPER);
    expect(after.slice(0, -1)).toEqual(before);
    expect(after.at(-1)).toMatchObject({ tender: { title: 'Інша назва' } });
  });
});
