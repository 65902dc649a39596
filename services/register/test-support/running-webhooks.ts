import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { openBus } from '@procurement/kit/messaging/bus';
import { respondTo } from '@procurement/kit/messaging/request/request';
import { makeLog } from '@procurement/kit/runtime/log';
import { secureIds } from '@procurement/kit/runtime/ids';
import { makeMetrics } from '@procurement/kit/runtime/metrics';
import { signedIdentity } from '@procurement/testing/identity';
import type { LightMyRequestResponse } from 'fastify';
import { startSendingWebhooks, type SendWebhooksDeps, type WebhookSender } from '../src/webhooks/send-webhooks.ts';
import { senderDeps } from '../src/webhooks/deps.ts';
import { NOW, runningService, type RunningService } from './running-service.ts';
import { setPosition } from './stored-revisions.ts';

/** The service with senders of webhooks, and with a gateway that has brokers. */
export interface RunningWebhooks extends RunningService {
  /** Brokers without a valid key. */
  readonly revoked: Set<string>;
  /** The gateway has added or revoked a key. */
  brokersChanged(): void;
  /** One more replica. */
  startSender(overrides?: Partial<SendWebhooksDeps>): WebhookSender;
  /** Sends a request of broker1, or of another broker. */
  send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    data?: object,
    broker?: string,
  ): Promise<LightMyRequestResponse>;
  /** Publishes a revision of each of these tenders, in order, and moves the position. Returns their positions. */
  publish(tenders: readonly string[]): Promise<readonly bigint[]>;
  stop(): Promise<void>;
}

/** Nothing is published before it. */
export const START = BigInt(parseInstant(NOW)) - 3_600_000_000n;

const PUBLISH = `INSERT INTO revision (position, id, rev, listed, is_test, causes, status, bytes)
  SELECT $1::bigint + n, id, 1, TRUE, FALSE, 2, 'active.tendering', 20 FROM unnest($2::uuid[]) WITH ORDINALITY AS t (id, n)`;
const TENDERS = `INSERT INTO tender (id, position, rev, created, listed, is_test, complete, status, method, cpv, regions, number)
  SELECT id, $1::bigint + max(n), 1, 0, TRUE, FALSE, TRUE, 'active.tendering', 'belowThreshold', '{}', '{}', 'UA-1'
  FROM unnest($2::uuid[]) WITH ORDINALITY AS t (id, n) GROUP BY id
  ON CONFLICT (id) DO UPDATE SET position = excluded.position`;

export async function runningWebhooks(): Promise<RunningWebhooks> {
  const running = await runningService({ SANDBOX_MODE: 'on' });
  const { pool } = running.database;
  const gateway = await openBus(running.busServer.urlOf('gateway'), 'gateway', makeLog('gateway', 'fatal'));
  const revoked = new Set<string>();
  respondTo(gateway, rpcSubjects.brokerLevels, makeLog('gateway', 'fatal'), async (request) => ({
    levels: '1234',
    hasKey: !revoked.has((request as { name: string }).name),
  }));
  await setPosition(pool, START);
  const senders: WebhookSender[] = [];
  let last = START;
  return {
    ...running,
    revoked,
    brokersChanged: () => gateway.connection.publish('brokers.broker-revoked.test'),
    startSender(overrides = {}) {
      const metrics = makeMetrics('register');
      const base = senderDeps(running.deps, { pool, bus: running.bus, metrics });
      const sender = startSendingWebhooks({ ...base, ids: secureIds, owner: secureIds.nextUuid(), ...overrides });
      senders.push(sender);
      return sender;
    },
    send: async (method, path, data, broker = 'broker1') =>
      running.app.inject({
        method,
        url: `/webhooks${path}`,
        headers: {
          ...signedIdentity({ broker }),
          ...(data === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(data === undefined ? {} : { payload: JSON.stringify({ data }) }),
      }),
    async publish(tenders) {
      const first = last;
      await pool.query(PUBLISH, [first, tenders]);
      await pool.query(TENDERS, [first, tenders]);
      last += BigInt(tenders.length);
      await setPosition(pool, last);
      return tenders.map((_tender, n) => first + BigInt(n + 1));
    },
    stop: async () => {
      await Promise.all(senders.map(async (sender) => sender.stop()));
      await gateway.close();
      await running.close();
    },
  };
}
