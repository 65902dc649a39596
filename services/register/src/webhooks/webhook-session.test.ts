import type { Instant } from '@procurement/contracts/reading/instant';
import { makeLog } from '@procurement/kit/runtime/log';
import { countingIds, padId } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import type { StreamedRevision } from '../revisions/domain/change-notice.ts';
import type { StoredWebhook } from './domain/webhook.ts';
import { makeAttemptSlots } from './attempt-slots.ts';
import { PAGE_ROWS } from './revision-pages.ts';
import type { RedeliveryRange } from './webhook-delivery.store.ts';
import { WebhookSession } from './webhook-session.ts';

const PAGES = 20;
const HEAD = BigInt(PAGES * PAGE_ROWS);

function revisionAt(position: bigint): StreamedRevision {
  const tender = { id: padId('1'), listed: true, isTest: false, status: 'active.enquiries', cpv: [], regions: [] };
  return { position, rev: 1, number: 'UA-2026-01-01-000001', causes: 1n, flags: 0, bytes: 0, tender };
}

/** A session of a webhook whose filter matches nothing, and the reads of the log that it makes. */
function sessionWithoutMatch(position: bigint, ranges: readonly RedeliveryRange[]) {
  let now = 1_000_000;
  const reads: bigint[] = [];
  const webhook: StoredWebhook = {
    id: padId('2'),
    broker: 'broker1',
    url: 'https://receiver.example/',
    filter: { status: ['complete'] },
    expand: false,
    concurrency: 1,
    status: 'active',
    suspended: false,
    verified: true,
    position,
    redeliveredTo: 0n,
    failures: 0,
    tries: 0,
    version: 1,
    created: 0,
    modified: 0,
  };
  const unused = (): never => {
    throw new Error('nothing is sent');
  };
  const session = new WebhookSession(
    { webhook, secrets: [], parked: [], ranges },
    {
      clock: { now: () => now as Instant },
      nowMs: () => now / 1_000,
      ids: countingIds(),
      log: makeLog('register', 'fatal'),
      owner: 'process',
      slots: makeAttemptSlots(),
      count: unused,
      baseUrl: 'https://api.example.org',
      history: { revision: unused, texts: unused },
      transport: { post: unused, close: unused },
      secretBox: { keyId: 'key', open: unused, seal: unused },
      pages: {
        head: async () => HEAD,
        one: unused,
        page: async (after) => {
          reads.push(after);
          return Array.from({ length: PAGE_ROWS }, (_, n) => revisionAt(after + BigInt(n + 1)));
        },
      },
      deliveries: { save: async () => true },
    },
    { signal: new AbortController().signal, confirm: async () => {}, held: () => {}, notify: () => {} },
  );
  return {
    reads,
    step: async () => session.step(),
    wait: (ms: number) => {
      now += ms * 1_000;
    },
  };
}

describe('a session with a filter that matches nothing', () => {
  it.each([
    ['reading on from an early position', 0n, []],
    ['sending a range again', HEAD, [{ id: padId('3'), position: 0n, upTo: HEAD, attempts: 0 }]],
  ] as const)('reads one page at a time, %s', async (_case, position, ranges) => {
    const { reads, step, wait } = sessionWithoutMatch(position, ranges);
    await step();
    expect(reads).toEqual([0n]);
    await step();
    expect(reads).toEqual([0n]);
    wait(100);
    await step();
    expect(reads).toEqual([0n, BigInt(PAGE_ROWS)]);
  });
});
