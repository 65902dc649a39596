import { logOptions } from '@procurement/kit/http/app-server';
import { registerStaticTexts } from '@procurement/kit/http/static-texts';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { act, handOver } from './operator/actions.ts';
import { changeFollowing, showFollowing } from './operator/following.ts';
import { OPERATOR_ASSETS, OPERATOR_ASSETS_FOLDER } from './operator/html.ts';
import { exportLog, showOne } from './operator/one-auction.ts';
import { showToday } from './operator/today.ts';

/** Seconds without the end of the feed after which `/health` fails. */
const LAG_SECONDS_MAX = 60;
const STUCK = `SELECT count(*)::int AS count FROM task WHERE attempts > 0
  AND due_at < (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + 60000000 AND attempts >= 6`;

/** Probes, metrics and the page of operators. A listener of its own, which no ingress may reach. */
export function buildOperations(deps: Deps): FastifyInstance {
  const { room, handOff, hub, metrics, log } = deps;
  const app = Fastify(logOptions(log));
  const { uncertainty } = room.clock;
  metrics.gauge('room_watchers', 'Streams of watchers', () => hub.count());
  metrics.gauge('room_bidders', 'Streams of bidders', () => hub.count('bidders'));
  metrics.gauge('room_shards', 'Shards that this replica leads', () => room.leadership.shards().length);
  metrics.gauge('room_clock_uncertainty_seconds', 'How wrong room time may be', () =>
    Math.min(uncertainty() / 1e6, 1e6),
  );
  metrics.gauge('room_follow_lag_seconds', 'Since the end of the feed was reached', () => handOff.lagSeconds() ?? 0);
  metrics.gauge('room_auctions_set_aside', 'Auctions whose stages cannot be begun', () => room.setAside().length);

  async function problems(): Promise<readonly string[]> {
    const lag = handOff.lagSeconds() ?? 0;
    const stuck = await room.pool.query<{ count: number }>(STUCK).then(
      ({ rows }) => rows[0]?.count ?? 0,
      () => undefined,
    );
    return [
      ...(room.isReady() ? [] : ['not ready']),
      ...room.setAside().map((auction) => `auction ${auction} is set aside`),
      ...(lag > LAG_SECONDS_MAX ? [`the feed was read to its end ${Math.round(lag)} s ago`] : []),
      ...(stuck === undefined ? ['the database does not answer'] : []),
      ...(stuck === undefined || stuck === 0 ? [] : [`${stuck} requests to the tender service fail`]),
    ];
  }

  app.get('/live', async (_request, reply) => reply.send({ live: true }));
  app.get('/ready', async (_request, reply) => {
    const ready = room.isReady() && !deps.isEnding();
    return reply.code(ready ? 200 : 503).send({ ready });
  });
  app.get('/health', async (_request, reply) => {
    const details = await problems();
    return reply.code(details.length === 0 ? 200 : 503).send({ ready: room.isReady(), details });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  registerStaticTexts(app, OPERATOR_ASSETS_FOLDER, OPERATOR_ASSETS);
  app.get('/', showToday(deps));
  app.get('/auctions/:id', showOne(deps));
  app.get('/auctions/:id/log.jsonl', exportLog(deps));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.post('/auctions/:id/:action', act(deps));
  app.get('/following', showFollowing(deps));
  app.post('/following/:action', changeFollowing(deps));
  app.post('/shards/:shard/hand-over', handOver(deps));
  return app;
}
