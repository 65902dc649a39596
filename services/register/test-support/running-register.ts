import { openBus, type Bus } from '@procurement/kit/messaging/bus';
import { makeLog, type Logger } from '@procurement/kit/runtime/log';
import { systemClock } from '@procurement/kit/runtime/clock';
import { makeMetrics, type Metrics } from '@procurement/kit/runtime/metrics';
import type { TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import { startFollower, type Follower, type FollowDeps } from '../src/follow/follow-publications.ts';
import { readFollow } from '../src/follow/follow.store.ts';
import { fakeOwner, type FakeOwner } from './fake-owner.ts';

/** The followers of one database, and the owner that they follow. */
export interface RunningRegister {
  readonly owner: FakeOwner;
  readonly database: TestDatabase;
  readonly metrics: Metrics;
  readonly bus: Bus;
  readonly log: Logger;
  /** Starts one more follower; it is stopped by `stopFollowers` or `close`. */
  follow(page?: FollowDeps['page']): Follower;
  stopFollowers(): Promise<void>;
  /** Waits until everything that the owner has published was applied, and no back-fill is under way. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

export async function runningRegister(server: TestBus): Promise<RunningRegister> {
  const database = await freshDatabase('register');
  const log: Logger = makeLog('register', 'fatal');
  const [bus, ownerBus]: Bus[] = await Promise.all([
    openBus(server.urlOf('register'), 'register', log),
    openBus(server.urlOf('tenders'), 'tenders', log),
  ]);
  if (bus === undefined || ownerBus === undefined) throw new Error('no bus');
  const owner = fakeOwner(ownerBus, log);
  const metrics = makeMetrics('register');
  const followers: Follower[] = [];
  const stopFollowers = async (): Promise<void> => {
    await Promise.all(followers.splice(0).map(async (follower) => follower.stop()));
  };
  return {
    stopFollowers,
    owner,
    database,
    metrics,
    bus,
    log,
    follow(page) {
      const { url: databaseUrl, pool } = database;
      const follower = startFollower({
        databaseUrl,
        pool,
        bus,
        log,
        metrics,
        clock: systemClock,
        problemMs: 100,
        ...(page === undefined ? {} : { page }),
      });
      followers.push(follower);
      return follower;
    },
    caughtUp: async () => {
      await waitFor(
        async () => {
          const state = await readFollow(database.pool);
          return state?.backfill === undefined && state?.position === (owner.views().at(-1)?.position ?? 0);
        },
        { what: 'the follower' },
      );
    },
    close: async () => {
      await stopFollowers();
      await Promise.all([bus.close(), ownerBus.close()]);
      await database.drop();
    },
  };
}
