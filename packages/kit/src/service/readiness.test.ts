import { describe, expect, it } from 'vitest';
import type { Consumer } from '../messaging/repair/start-consumer.ts';
import { makeReadinessReader, type ReadinessSources } from './readiness.ts';

const NO_BACKLOG = { waiting: 0, oldestSeconds: 0 };
const working = { connected: () => true, fault: () => undefined, denied: () => [] };

interface Parts {
  readonly backlog?: () => Promise<typeof NO_BACKLOG>;
  readonly deadLetters?: readonly { readonly durable: string; readonly count: number }[];
  readonly bus?: object;
}

function makeInfrastructure({ backlog = async () => NO_BACKLOG, deadLetters = [], bus = working }: Parts) {
  const infrastructure = { pool: { query: async () => ({ rows: deadLetters }) }, bus, relay: { backlog } };
  return infrastructure as unknown as ReadinessSources['infrastructure'];
}

function makeSources(parts: Parts, rest: Partial<ReadinessSources> = {}): ReadinessSources {
  return { infrastructure: makeInfrastructure(parts), consumers: [], details: [], isServing: () => true, ...rest };
}

/** Found stuck by the look at its lag, and not before. */
function stuckConsumer(): Consumer {
  let stuckMs = 0;
  return {
    durable: 'bids--tenders',
    async lag() {
      stuckMs = 61_000;
      return null;
    },
    stuckMs: () => stuckMs,
    repair: () => undefined,
    stop: async () => undefined,
  };
}

describe('the readiness of a service', () => {
  it('is that of its database, with nothing in details while all goes on', async () => {
    const state = await makeReadinessReader(makeSources({}))();
    expect(state).toMatchObject({ ready: true, checks: { database: 'ok', bus: 'ok' }, details: [], deadLetters: 0 });
  });

  it('ends with the signal to end, also while an earlier answer is shared', async () => {
    let serving = true;
    const read = makeReadinessReader(makeSources({}, { isServing: () => serving }));
    expect((await read()).ready).toBe(true);
    serving = false;
    expect((await read()).ready).toBe(false);
  });

  it.each([
    [
      'an outbox that cannot be read',
      makeSources({
        backlog: async () => {
          throw new Error('away');
        },
      }),
      { ready: false, checks: { database: 'fail', bus: 'ok' } },
    ],
    [
      'a state of the service that does not serve',
      makeSources({}, { unready: async () => 'back-fill' }),
      { ready: false, unready: 'back-fill', checks: { database: 'ok' } },
    ],
    [
      'a bus that is away',
      makeSources({ bus: { ...working, connected: () => false, fault: () => ({ text: 'refused', seconds: 60 }) } }),
      { ready: true, checks: { bus: 'fail' }, busFault: 'refused', details: [{ kind: 'bus' }] },
    ],
    [
      'events that wait to be published',
      makeSources({ backlog: async () => ({ waiting: 3, oldestSeconds: 60 }) }),
      { ready: true, details: [{ kind: 'outbox', count: 3 }] },
    ],
    [
      'dead letters',
      makeSources({ deadLetters: [{ durable: 'bids--tenders', count: 2 }] }),
      { ready: true, deadLetters: 2, details: [{ kind: 'dead-letters', name: 'bids--tenders', count: 2 }] },
    ],
    [
      'a consumer that applies nothing',
      makeSources({}, { consumers: [stuckConsumer()] }),
      { ready: true, lag: { 'bids--tenders': null }, details: [{ kind: 'consumer', oldestSeconds: 61 }] },
    ],
    [
      'a flow of the service that waits',
      makeSources({}, { details: [async () => [{ kind: 'flow', name: 'closing', count: 1 }]] }),
      { ready: true, details: [{ kind: 'flow', name: 'closing' }] },
    ],
  ])('shows %s', async (_what, sources, expected) => {
    expect(await makeReadinessReader(sources)()).toMatchObject(expected);
  });
});
