import { readyPort } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { applyPatch } from 'rfc6902';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furtherFindings } from '../../packages/ocds/test-support/further-checks.ts';
import { schemaErrors } from '../../packages/ocds/test-support/validator.ts';
import { playAuctionCancelled } from '../e2e/stories/auction-cancelled.ts';
import { playFeatures } from '../e2e/stories/features.ts';
import { playNoBids } from '../e2e/stories/no-bids.ts';
import { playOneBid } from '../e2e/stories/one-bid.ts';
import { playTwoBids } from '../e2e/stories/two-bids.ts';
import { playTwoLots } from '../e2e/stories/two-lots.ts';
import { patientBroker, getReached, clientFrom, until, type Broker, type Json } from '../support/broker.ts';
import { exported } from '../support/exported-file.ts';
import { PATIENCE } from '../support/patience.ts';
import { noRecorder, type StoryContext } from '../support/story-context.ts';
import { verifyAndStop } from '../support/verified.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ durable: false, env: PATIENCE });
  await Promise.all(
    STORIES.map(async ([name, play, writes], place) => {
      const playing = play(contextKillingAfter(writes, place)).finally(() => arrive(place));
      played.set(name, (await Promise.allSettled([playing]))[0]);
    }),
  );
});

afterAll(async () => {
  await verifyAndStop(stack);
});

const SERVICES = ['tenders', 'bids', 'awards', 'documents', 'auction', 'gateway'] as const;

/** Sends SIGKILL to all services at the same time and starts them again. */
async function killAllServices(): Promise<void> {
  await Promise.all(SERVICES.map(async (name) => stack.parts[name].kill('SIGKILL')));
  await Promise.all(SERVICES.map(async (name) => stack.parts[name].start()));
  // `/ready` requires the database only; requests between services need the bus as well.
  for (const name of SERVICES)
    await until(`${name} to be connected to the bus`, async () => isOnBus(readyPort(name, stack.ports)));
}

async function isOnBus(port: number): Promise<boolean> {
  const answer: Json = await (await fetch(`http://127.0.0.1:${port}/ready`)).json();
  return !JSON.stringify(answer).includes('fail');
}

/** All at once: each story waits for the others before the write after which all services are killed. */
const STORIES = [
  ['two bids, before the end of tendering', playTwoBids, 8],
  ['two bids, after the results of the auction', playTwoBids, 15],
  ['two bids, while a complaint blocks the contract', playTwoBids, 23],
  ['two lots, between the results of the first and the second', playTwoLots, 10],
  ['one bid, after its award was decided', playOneBid, 5],
  ['no bids, in tendering', playNoBids, 2],
  ['a cancellation in the auction, after the cancellation', playAuctionCancelled, 7],
  ['features, after the bids are sealed', playFeatures, 8],
] as const;
const played = new Map<string, PromiseSettledResult<void>>();

/** Lets all stories go on when each has come so far, or has failed. */
function meetingPoint(): (place: number) => Promise<void> {
  const arrived = new Set<number>();
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async (place) => {
    arrived.add(place);
    if (arrived.size === STORIES.length) open();
    await gate;
  };
}

/** What an anonymous reader got of a tender after each write of its story: texts by `dateModified`, by the path of the tender. */
const readings = new Map<string, Map<string, string>>();

async function readAnonymously(path: string): Promise<void> {
  const [tender] = /^\/tenders\/[0-9a-f]{32}/.exec(path) ?? [];
  if (tender === undefined) return;
  const { status, text, body } = await patientBroker(stack.gatewayUrl, undefined, '2.5').get(tender);
  const texts = readings.get(tender) ?? new Map<string, string>();
  if (status === 200) readings.set(tender, texts.set(body.data.dateModified, text));
}

const beforeTheWrite = meetingPoint();
const afterTheWrite = meetingPoint();
const arrive = (place: number): void => void Promise.all([beforeTheWrite(place), afterTheWrite(place)]);
let killing: Promise<void> | undefined;

/** Kills all services once, right after that many writes, while events are not yet published or applied. */
function contextKillingAfter(writes: number, place: number): StoryContext {
  let count = 0;
  const counting = (client: Broker): Broker => {
    const request: Broker['request'] = async (method, path, options) => {
      if (method === 'GET') return client.request(method, path, options);
      count += 1;
      const isLast = count === writes;
      if (isLast) await beforeTheWrite(place);
      const answer = await client.request(method, path, options);
      if (isLast) await afterTheWrite(place).then(async () => (killing ??= killAllServices()));
      await readAnonymously(path);
      return answer;
    };
    return clientFrom(request);
  };
  return { broker: (key) => counting(patientBroker(stack.gatewayUrl, key, '2.5')), recorder: noRecorder };
}

describe('a story during which all services are killed and restarted', () => {
  it.each(STORIES.map(([name]) => name))('%s', (name) => {
    expect(played.get(name)).toEqual({ status: 'fulfilled', value: undefined });
  });

  // Each service has a user of its own at NATS. After these stories it has sent what it ever sends.
  it.each(SERVICES)('leaves %s without a denied subject', async (name) => {
    const answer: Json = await (await fetch(`http://127.0.0.1:${stack.ports[name]}/ready`)).json();
    expect(answer.denied).toBeUndefined();
    expect(JSON.stringify(answer)).not.toContain('fail');
  });
});

describe('the history of the tender of each story', () => {
  it('has each text that an anonymous reader got during the story, byte for byte, and no other of that time (A40, H2)', async () => {
    const anyone = patientBroker(stack.gatewayUrl, undefined, '2.5');
    expect(readings.size).toBeGreaterThanOrEqual(STORIES.length);
    for (const [path, texts] of readings) {
      const [newest = ''] = [...texts.keys()].toSorted().toReversed();
      const listed = await getReached(anyone, `${path}/history?limit=1000&at_least=${encodeURIComponent(newest)}`);
      const revs = new Map<string, number>(listed.body.data.map(({ dateModified, rev }: Json) => [dateModified, rev]));
      for (const [dateModified, text] of texts) {
        const revision = await anyone.get(`${path}/history/${revs.get(dateModified)}`);
        expect(revision.text.slice(0, text.length - 1)).toBe(text.slice(0, -1));
        const inForce = await anyone.get(`${path}/history?at=${encodeURIComponent(dateModified)}`);
        expect(inForce.text).toBe(revision.text);
      }
    }
  });

  it('leads by its patches from the first revision to the present, at the position of the feed (A40, H1, H3)', async () => {
    const anyone = patientBroker(stack.gatewayUrl, undefined, '2.5');
    const feed: Json = (await anyone.get('/tenders?mode=_all_&limit=1000')).body;
    expect(feed.data).not.toEqual([]);
    for (const { id, dateModified } of feed.data) {
      const path = `/tenders/${id}`;
      const entries: Json[] = [];
      let page = `${path}/history?diff=1&at_least=${encodeURIComponent(dateModified)}`;
      for (;;) {
        const { body } = await getReached(anyone, page);
        entries.push(...body.data);
        if (body.next_page === undefined) break;
        page = body.next_page.path.slice('/api/2.5'.length);
      }
      const [first, last] = [entries[0], entries.at(-1)];
      const patched = (await anyone.get(`${path}/history/${first.rev}`)).body.data;
      for (const { patch } of entries.slice(1))
        expect(applyPatch(patched, patch).every((one) => one === null)).toBe(true);
      const now = await anyone.get(path);
      expect(patched).toEqual(now.body.data);
      const newest = await anyone.get(`${path}/history/${last.rev}`);
      expect(newest.text.startsWith(now.text.slice(0, -1))).toBe(true);
      expect([last.dateModified, now.body.data.dateModified]).toEqual([dateModified, dateModified]);
      const next: Json = (await anyone.get(`/tenders?mode=_all_&limit=1000&offset=${last.position}`)).body;
      expect(next.data.map((entry: Json) => entry.id)).not.toContain(id);
    }
  });
});

describe('files of OCDS', () => {
  it('are accepted by the official schemas, with all that was published of each story (ocds.md 4.3, 7)', async () => {
    const [releases, records] = [await exported(stack, 'releases'), await exported(stack, 'records')];
    const frame = { uri: releases.manifest.feed, publishedDate: '2026-01-01T00:00:00Z' };
    const published = releases.lines.map((line) => JSON.parse(line));
    expect(
      schemaErrors('releases', { ...releases.manifest.package, ...frame, releases: published }).concat(
        published.flatMap(furtherFindings),
      ),
    ).toEqual([]);
    const compiled = records.lines.map((line) => JSON.parse(line));
    expect(schemaErrors('records', { ...records.manifest.package, ...frame, records: compiled })).toEqual([]);
    const ids = new Set(compiled.map(({ compiledRelease }) => compiledRelease.tender.id));
    expect([...readings.keys()].map((path) => path.slice('/tenders/'.length)).filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(published.map(({ tender }) => tender.id))).toEqual(ids);
  });
});

describe('a service with the user of another at NATS', () => {
  it('says in /ready what it is denied, and is not green', async () => {
    const { NATS_USER = '', NATS_PASSWORD = '' } = stack.serviceOptions('documents').env;
    const replica = await stack.addReplica('awards', { NATS_USER, NATS_PASSWORD });
    const answer: Json = await until('the denied subjects', async () => {
      const ready: Json = await (await fetch(`${replica.url}/ready`)).json();
      return ready.denied?.length > 0 ? ready : undefined;
    });
    expect(answer.checks.bus).toBe('fail');
    expect(answer.denied).toContain('publish $JS.API.CONSUMER.INFO.tenders.awards--tenders');
    await replica.stop();
  });
});
