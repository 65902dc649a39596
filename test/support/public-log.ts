import type { Stack } from '@procurement/local-stack/stack';
import { openCheckpoint, type Checkpoint } from '@procurement/proof/checkpoints';
import { parseEntry, type Entry } from '@procurement/proof/entries';
import { parseVkey } from '@procurement/proof/notes';
import { unpackEntries, tilePath, TILE_WIDTH, tileWidth } from '@procurement/proof/tiles';
import { leafHash, rootOfLeaves } from '@procurement/proof/tree';
import { pauseBeforeRetry, until } from './broker.ts';
import { queryService } from './hold-row.ts';

/** The bytes at a path below `/log`. Throws when it is not answered. */
export async function readLog({ gatewayUrl }: Stack, path: string): Promise<Buffer> {
  const response = await fetch(`${gatewayUrl}/log/${path}`);
  if (response.status !== 200) throw new Error(`/log/${path}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** The newest checkpoint; its signature is checked. */
export async function readCheckpoint(stack: Stack): Promise<Checkpoint> {
  const key = parseVkey(stack.logVkey);
  const opened = openCheckpoint((await readLog(stack, 'checkpoint')).toString(), key === undefined ? [] : [key]);
  if (opened === undefined) throw new Error('the checkpoint is not signed by the log');
  return opened.checkpoint;
}

/** All entries. Throws when they do not give the root of the newest checkpoint. */
export async function readEntries(stack: Stack): Promise<readonly Entry[]> {
  const { size, root } = await readCheckpoint(stack);
  const texts: Buffer[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const width = tileWidth('entries', index, size);
    texts.push(...(unpackEntries(await readLog(stack, tilePath({ level: 'entries', index, width }))) ?? []));
  }
  if (!rootOfLeaves(texts.map((text) => leafHash(text))).equals(root)) throw new Error(`other entries below ${size}`);
  return texts.map((text) => {
    const entry = parseEntry(text);
    if (entry === undefined) throw new Error(`no entry: ${text.toString()}`);
    return entry;
  });
}

/** The roots that were seen of each size of the log. */
export type SeenRoots = ReadonlyMap<number, ReadonlySet<string>>;

/** Reads checkpoints all the time, as witnesses and readers do. */
export function watchCheckpoints(stack: Stack): { end(): Promise<SeenRoots> } {
  const roots = new Map<number, Set<string>>();
  let isOver = false;
  async function watch(): Promise<void> {
    while (!isOver) {
      const seen = await readCheckpoint(stack).catch(() => undefined);
      if (seen !== undefined) {
        const known = roots.get(seen.size) ?? new Set();
        roots.set(seen.size, known.add(seen.root.toString('hex')));
      }
      await pauseBeforeRetry();
    }
  }
  const watching = watch();
  return {
    async end() {
      isOver = true;
      await watching;
      return roots;
    },
  };
}

/** A publication as tenders has it. */
export interface PublishedRow {
  readonly number: string;
  readonly position: string;
  readonly id: string;
  readonly rev: string;
  readonly sha256: string;
}

/** All listed publications, the oldest first. */
export async function publishedRows(stack: Stack): Promise<readonly PublishedRow[]> {
  return queryService<PublishedRow>(
    stack,
    'tenders',
    `SELECT number, stamp AS position, tender_id AS id, rev, encode(sha256, 'hex') AS sha256
     FROM tender_publication WHERE listed ORDER BY stamp`,
  );
}

/**
 * Waits until the log has the newest publication, and compares it with all of them (proof.md 7, T10). Returns one sentence for each that is
 * lost, logged twice or without its publication, and for each size that was seen with two roots.
 */
export async function auditPublicLog(stack: Stack, watched: { end(): Promise<SeenRoots> }): Promise<readonly string[]> {
  const rows = await publishedRows(stack);
  const last = BigInt(rows.at(-1)?.position ?? 0);
  const logged = await until('the log to have everything', async () => {
    const entries = await readEntries(stack).catch(() => []);
    return entries.some((entry) => 'position' in entry && entry.position >= last) && entries;
  });
  const forks = [...(await watched.end())].filter(([, own]) => own.size > 1);
  return [
    ...forks.map(([size, own]) => `the log of size ${size} has the roots ${[...own].join(' and ')}`),
    ...differences(rows, logged),
  ];
}

function differences(rows: readonly PublishedRow[], logged: readonly Entry[]): readonly string[] {
  const names: string[] = [];
  let first: bigint | undefined;
  const problems: string[] = [];
  for (const entry of logged) {
    if (entry.kind === 'publication') {
      first ??= entry.number;
      names.push(`${entry.number} ${entry.position} ${entry.tender} ${entry.rev}`);
      // What was published before the first publication of the log is there as baselines.
    } else if (entry.kind !== 'baseline' || first !== undefined) problems.push(`the log has an entry ${entry.kind}`);
  }
  const expected = rows
    .filter(({ number }) => first === undefined || BigInt(number) >= first)
    .map(({ number, position, id, rev }) => `${number} ${position} ${id} ${rev}`);
  const [has, must] = [new Set(names), new Set(expected)];
  const isInOrder = names.join('\n') === expected.join('\n');
  return [
    ...problems,
    ...expected.filter((name) => !has.has(name)).map((name) => `publication ${name} is not in the log`),
    ...names.filter((name, at) => names.indexOf(name) < at).map((name) => `publication ${name} is twice in the log`),
    ...names.filter((name) => !must.has(name)).map((name) => `publication ${name} is in the log only`),
    ...(isInOrder ? [] : ['the log has other publications than tenders, or in another order']),
  ];
}
