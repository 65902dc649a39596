import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DAY, parseInstant } from '@procurement/contracts/reading/instant';
import { secondsText } from '@procurement/domain/feed-offset';
import { makeLog } from '@procurement/kit/runtime/log';
import { fixedClock } from '@procurement/testing/clock';
import { padId } from '@procurement/testing/ids';
import { waitFor } from '@procurement/testing/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openClient, type StreamClient } from '@procurement/testing/stream-client';
import type { StreamedRevision } from '../revisions/domain/change-notice.ts';
import type { Filter } from '../requests/domain/filters.ts';
import { REVISION_FLAGS } from '../revisions/domain/revision-flags.ts';
import type { TextPlace } from '../revisions/history.store.ts';
import type { StreamHead, StreamStore, VoidRange } from '../revisions/stream.store.ts';
import { StreamHub } from './stream-hub.ts';
import { makeReader } from './stream-reader.ts';

const NOW = '2026-04-01T10:00:00.000000+03:00';
const START = BigInt(parseInstant(NOW)) - 3_600_000_000n;
const WINDOW_START = BigInt(parseInstant(NOW) - 7 * DAY);

/** Revisions in memory. */
let rows: StreamedRevision[];
let head: StreamHead | undefined;
let voids: VoidRange[];
let nowMs: number;
let hub: StreamHub;
let server: Server;
let nextReader: { filter?: Filter; position?: bigint; heartbeatMs?: number; expandedFor?: string };
let clients: StreamClient[];
let responses: ServerResponse[];
let firstTick: Promise<void> | undefined;
/** Hold ticks, and pages of readers that catch up. */
let ticksHeld: Promise<void> | undefined;
let pagesHeld: Promise<void> | undefined;
let pagesMost: number;
let pagesNow: number;
/** Length of the texts of tenders. */
let textLength: number;
let textBytesMost: number;
let reads: bigint[];

const store: StreamStore = {
  head: async () => {
    await ticksHeld;
    return head;
  },
  revisions: async (after, upTo, limit) => {
    // What the first tick reads: nothing.
    if (after === upTo) await firstTick;
    pagesNow += 1;
    pagesMost = Math.max(pagesMost, pagesNow);
    await pagesHeld;
    pagesNow -= 1;
    return rows.filter(({ position }) => position > after && position <= upTo).slice(0, limit);
  },
  newest: async (after, upTo, limit) =>
    rows
      .filter(({ position }) => position > after && position <= upTo)
      .filter((one) => !rows.some(({ tender, position }) => tender.id === one.tender.id && position > one.position))
      .slice(0, limit),
  voidRanges: async () => voids,
};

beforeEach(async () => {
  [rows, voids, clients, responses, nowMs, nextReader, firstTick] = [[], [], [], [], 0, {}, undefined];
  [textLength, textBytesMost, reads] = [100, 0, []];
  [ticksHeld, pagesHeld, pagesMost, pagesNow] = [undefined, undefined, 0, 0];
  head = { position: START, restores: 0 };
  const log = makeLog('test', 'fatal');
  // Time passes: a bound that follows it would never be reached.
  const fixed = fixedClock(NOW);
  const clock = {
    now: () => {
      fixed.advance(1);
      return fixed.now();
    },
  };
  const textsAt = async (places: readonly TextPlace[]) => {
    // After this turn it counts what is read here too.
    await Promise.resolve();
    textBytesMost = Math.max(textBytesMost, hub.textBytes);
    reads.push(...places.map(({ position }) => position));
    return new Map(places.map(({ position }) => [position, publicText(position)]));
  };
  hub = new StreamHub({ store, textsAt, log, clock, nowMs: () => nowMs });
  server = createServer((_request, response) => {
    const { filter = {}, position = START, heartbeatMs = 15_000, ...expanded } = nextReader;
    response.writeHead(200).flushHeaders();
    responses.push(response);
    hub.add(makeReader({ response, filter, heartbeatMs, endsAtMs: 3_600_000, position, ...expanded }, () => 0.5));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  hub.stop();
  for (const client of clients) client.close();
  await new Promise((resolve) => server.close(resolve));
});

async function open(options: typeof nextReader = {}): Promise<StreamClient> {
  nextReader = options;
  const client = await openClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  clients.push(client);
  return client;
}

/** The public text of a revision, `textLength` long. */
function publicText(position: bigint): string {
  return `{"data":{"p":"${String(position).padEnd(textLength - 16, '.')}"}}`;
}

/** Publishes revisions, one microsecond after another. */
function publish(count: number, more: Partial<StreamedRevision> = {}, status = 'active.enquiries'): StreamedRevision[] {
  const last = rows.at(-1)?.position ?? START;
  const added = Array.from({ length: count }, (_, n) => ({
    position: last + BigInt(n + 1),
    rev: n + 1,
    number: 'UA-2026-03-02-000001',
    causes: 2n,
    flags: 0,
    bytes: textLength,
    tender: { id: padId(String(n % 10)), listed: true, isTest: false, status, cpv: [], regions: [] },
    ...more,
  }));
  rows.push(...added);
  head = { position: rows.at(-1)?.position ?? START, restores: voids.length };
  hub.wake();
  return added;
}

const until = async (condition: () => boolean) => waitFor(condition, { what: 'the state of the streams' });

const formatPositions = (revisions: readonly StreamedRevision[]) =>
  revisions.map(({ position }) => secondsText(position));

describe('StreamHub', () => {
  it('reads the next page for those who wait when one of eight has ended, not at the next tick', async () => {
    const added = publish(3);
    await open({ position: rows.at(-1)?.position ?? START });
    await until(() => hub.groups === 1);
    let endTick = (): void => undefined;
    let endPages = (): void => undefined;
    ticksHeld = new Promise((resolve) => (endTick = resolve));
    pagesHeld = new Promise((resolve) => (endPages = resolve));
    const readers: StreamClient[] = [];
    for (let n = 0; n < 20; n += 1) readers.push(await open());
    await until(() => hub.readers === 21 && pagesNow >= 8);
    endPages();
    await until(() => readers.every(({ positions }) => positions.length === added.length));
    expect(pagesMost).toBeLessThanOrEqual(9);
    endTick();
  });

  it('sends every revision once and in order, to readers from now and from earlier', async () => {
    const early = publish(1_200);
    const past = await open();
    await until(() => past.positions.length === 1_200);
    const live = await open({ position: head?.position ?? 0n });
    const late = [...publish(700), ...publish(3)];
    await until(() => past.positions.length === 1_903 && live.positions.length === 703);
    expect(past.positions).toEqual(formatPositions([...early, ...late]));
    expect(live.positions).toEqual(formatPositions(late));
    await until(() => hub.groups === 1);
  });

  it('leaves nothing out for a reader that comes while the first revisions are read (S1)', async () => {
    publish(5);
    let endTick = (): void => undefined;
    firstTick = new Promise((resolve) => (endTick = resolve));
    await open({ position: head?.position ?? 0n });
    await until(() => hub.position !== undefined);
    const past = await open();
    await until(() => past.positions.length === 5);
    endTick();
    publish(2);
    await until(() => past.positions.length === 7);
    expect(past.positions).toEqual(formatPositions(rows));
  });

  it('gives readers that reconnect at any moment every revision exactly once (S1)', async () => {
    const seen: string[] = [];
    let client = await open();
    for (let round = 0; round < 30; round += 1) {
      publish(37);
      if (round % 3 === 0) continue;
      await until(() => client.positions.length > 0);
      client.close();
      const positions = [...client.positions];
      seen.push(...positions);
      const last = BigInt((positions.at(-1) ?? '').replace('.', ''));
      client = await open({ position: last });
    }
    await until(() => seen.length + client.positions.length >= rows.length);
    expect([...seen, ...client.positions]).toEqual(formatPositions(rows));
  });

  it('moves the position of an idle reader by heartbeats, and not while the owner is silent (A13)', async () => {
    const client = await open({ heartbeatMs: 15_000, filter: { status: ['complete'] } });
    await until(() => hub.groups === 1);
    publish(3);
    await until(() => hub.position === rows.at(-1)?.position);
    nowMs = 15_000;
    await until(() => client.frames.length > 0);
    expect(client.frames.at(-1)).toBe(`:\nid: ${secondsText(rows.at(-1)?.position ?? 0n)}`);
    nowMs = 31_000;
    await until(() => client.frames.length > 1);
    expect(client.frames.at(-1)).toMatch(/^: behind \d+$/);
  });

  it('keeps nothing but its position for a reader that stops reading, and then sends all of it (A14)', async () => {
    const [slow, fast] = [await open(), await open()];
    await until(() => hub.groups === 1);
    slow.response.pause();
    const changed = ['x'.repeat(2_000)];
    for (let batch = 0; batch < 20; batch += 1) publish(200, { changed });
    await until(() => fast.positions.length === 4_000);
    expect(slow.positions.length).toBeLessThan(4_000);
    // 8 MB were published: one tick more than the limit is held for it.
    expect(responses[0]?.writableLength).toBeLessThan(2_000_000);
    slow.response.resume();
    await until(() => slow.positions.length === 4_000);
    expect(slow.positions).toEqual(formatPositions(rows));
  });

  it('gives a reader from before the window the last state of each tender, then every revision (A15)', async () => {
    const states = publish(30);
    // Three revisions of each of ten tenders, just before the window.
    rows = states.map((row, n) => ({ ...row, position: WINDOW_START - 1_000n + BigInt(n) }));
    const early = [...rows];
    const inWindow = states.slice(0, 5).map((row) => ({ ...row, tender: { ...row.tender, id: padId('ff') } }));
    rows.push(...inWindow);
    const client = await open({ position: 1n });
    await until(() => client.positions.length === 10 + inWindow.length);
    expect(client.frames[0]).toContain('event: behind');
    expect(client.positions).toEqual([...formatPositions(early.slice(-10)), ...formatPositions(inWindow)]);
  });

  it('tells readers of positions that a restore has voided, and goes on after it (4.6)', async () => {
    const client = await open();
    publish(5);
    await until(() => client.positions.length === 5);
    const [kept, last] = [rows[2]?.position ?? 0n, rows.at(-1)?.position ?? 0n];
    voids = [{ restoredTo: kept, began: last + 10n }];
    rows.splice(3);
    head = { position: kept, restores: 1 };
    await until(() => client.frames.at(-1)?.startsWith('event: reset') === true);
    const began = secondsText(last + 10n);
    expect(client.frames.at(-1)).toBe(
      `event: reset\nid: ${began}\ndata: {"after":"${secondsText(kept)}","before":"${began}"}`,
    );
    const returning = await open({ position: last });
    rows.push({ ...rows[0]!, position: last + 20n });
    head = { position: last + 20n, restores: 1 };
    await until(() => client.positions.length === 6 && returning.positions.length === 1);
    expect(returning.frames[0]).toBe(client.frames.at(-2));
  });

  it('sends no smaller id after a reset, also before anything is published after the restore (S5)', async () => {
    const [kept, , , , last] = publish(5).map(({ position }) => position);
    const began = (last ?? 0n) + 10n;
    voids = [{ restoredTo: kept ?? 0n, began }];
    rows.splice(1);
    head = { position: kept ?? 0n, restores: 1 };
    const client = await open({ position: last ?? 0n });
    await until(() => client.frames.length > 0);
    rows.push({ ...rows[0]!, position: began + 5n });
    head = { position: began + 5n, restores: 1 };
    await until(() => client.positions.length === 1);
    expect(client.frames.map((frame) => /^id: (.*)$/m.exec(frame)?.[1])).toEqual(
      [began, began + 5n].map((position) => secondsText(position)),
    );
  });

  it('waits for a position that is not here yet', async () => {
    const client = await open({ position: START + 2n });
    publish(4);
    await until(() => client.positions.length === 2);
    expect(client.positions).toEqual(formatPositions(rows.slice(2)));
  });

  it('ends old connections, and all of them at its own end, with a time to come back', async () => {
    const old = await open();
    await until(() => hub.groups === 1);
    nowMs = 3_600_001;
    await until(() => old.ended);
    expect(old.frames.at(-1)).toBe('event: bye\nretry: 5500\ndata: {"reason":"age"}');
    nowMs = 0;
    const young = await open();
    await until(() => hub.groups === 1);
    hub.stop();
    await until(() => young.ended);
    expect(young.frames.at(-1)).toContain('"reason":"shutdown"');
    await until(() => hub.readers === 0);
  });

  describe('with whole tenders', () => {
    const readTenders = (client: StreamClient): string[] =>
      client.frames
        .filter((frame) => frame.startsWith('id: '))
        .map((frame) => JSON.parse(frame.split('\ndata: ')[1] ?? '').tender?.p ?? 'none');
    const paged = (revisions: readonly StreamedRevision[]): string[] =>
      revisions.map(({ position }) => JSON.parse(publicText(position)).data.p);

    it('sends the text of each revision, to readers from now and from earlier, and plain notices to the others', async () => {
      const early = publish(1_200);
      const past = await open({ expandedFor: 'broker1' });
      await until(() => past.positions.length === 1_200);
      const live = await open({ expandedFor: 'broker1', position: head?.position ?? 0n });
      const plain = await open({ position: head?.position ?? 0n });
      await until(() => hub.groups === 1);
      const late = [...publish(700), ...publish(3)];
      await until(() => past.positions.length === 1_903 && live.positions.length === 703);
      await until(() => plain.positions.length === 703);
      expect([past.positions, live.positions]).toEqual([formatPositions([...early, ...late]), formatPositions(late)]);
      expect([readTenders(past), readTenders(live)]).toEqual([paged([...early, ...late]), paged(late)]);
      expect(new Set(readTenders(plain))).toEqual(new Set(['none']));
      await until(() => hub.textBytes === 0);
      expect([hub.readers, hub.expanded, hub.groups]).toEqual([3, 2, 1]);
    });

    it('reads a text once for all readers that are sent it together, whatever their filters', async () => {
      await open({ expandedFor: 'broker1' });
      await open({ expandedFor: 'broker2', filter: { status: ['active'] } });
      await until(() => hub.position !== undefined);
      reads = [];
      const added = publish(20);
      await until(() => clients.every((client) => client.positions.length === 20));
      expect(reads).toEqual(added.map((revision) => revision.position));
    });

    it('leaves out the tender where there is no public text, or none that is JSON', async () => {
      const client = await open({ expandedFor: 'broker1', filter: { mode: '_all_' } });
      const [row] = publish(1);
      const gone = { ...row!, position: START + 10n, before: row!.tender, tender: { ...row!.tender, listed: false } };
      rows.push(gone, { ...row!, position: START + 11n, flags: REVISION_FLAGS.unread });
      head = { position: START + 11n, restores: 0 };
      await until(() => client.positions.length === 3);
      expect(readTenders(client)).toEqual([...paged([row!]), 'none', 'none']);
    });

    it('holds a bounded part of large texts, however many readers there are and however slow some are', async () => {
      textLength = 8_000_000;
      const count = 8;
      publish(count);
      // They begin at different texts, and take nothing at first.
      const received: Counted[] = [];
      for (let n = 0; n < 6; n += 1) received.push(await openPaused(n));
      const isComplete = ({ bytes }: Counted, n: number): boolean => bytes() > (count - n) * textLength;
      await until(() => hub.textBytes === 32_000_000);
      for (const { response } of received) response.resume();
      await until(() => received.every(isComplete));
      expect(textBytesMost).toBe(32_000_000);
      const frameBytes = 1_000;
      const isTwice = ({ bytes }: Counted, n: number): boolean => bytes() > (count - n) * (textLength + frameBytes);
      expect(received.filter(isTwice)).toEqual([]);
      await until(() => hub.textBytes === 0);
    });

    it('goes on after the last id in the middle of large texts (S1)', async () => {
      textLength = 600_000;
      const added = publish(9);
      const first = await open({ expandedFor: 'broker1' });
      await until(() => first.positions.length > 3);
      first.close();
      const seen = [...first.positions];
      const second = await open({
        expandedFor: 'broker1',
        position: BigInt((first.lastEventId ?? '').replace('.', '')),
      });
      await until(() => seen.length + second.positions.length === 9);
      expect([...seen, ...second.positions]).toEqual(formatPositions(added));
    });

    it('ends at once for a broker whose key was revoked, also while they catch up, and for no other', async () => {
      publish(5);
      const [mine, other, plain] = [
        await open({ expandedFor: 'broker1' }),
        await open({ expandedFor: 'broker2' }),
        await open(),
      ];
      await until(() => other.positions.length === 5 && plain.positions.length === 5);
      expect(hub.brokers()).toEqual(new Set(['broker1', 'broker2']));
      hub.endOf('broker1');
      await until(() => mine.ended);
      expect(mine.frames.at(-1)).toBe('event: bye\nretry: 5500\ndata: {"reason":"key"}');
      publish(1);
      await until(() => other.positions.length === 6 && plain.positions.length === 6);
      await until(() => hub.readers === 2);
      expect(hub.brokers()).toEqual(new Set(['broker2']));
    });
  });
});

interface Counted {
  readonly response: IncomingMessage;
  readonly bytes: () => number;
}

/** A reader of whole tenders that keeps only the number of bytes. */
async function openPaused(after: number): Promise<Counted> {
  nextReader = { expandedFor: 'broker1', position: START + BigInt(after) };
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ port, host: '127.0.0.1', agent: false }, resolve).once('error', reject).end();
  });
  let bytes = 0;
  response.on('data', (part: Buffer) => (bytes += part.length)).on('error', () => undefined);
  response.pause();
  return { response, bytes: () => bytes };
}
