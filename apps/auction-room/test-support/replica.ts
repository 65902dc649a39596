import { randomUUID } from 'node:crypto';
import { parseInstant } from '@procurement/contracts/reading/instant';
import type pg from 'pg';
import { auctionsStore, type AuctionsStore } from '../src/store/auctions.store.ts';
import { shardOf } from '../src/store/auction.row.ts';
import { leasesStore, SHARDS, type Lease, type LeasesStore } from '../src/store/leases.store.ts';
import { replicasStore, type ReplicasStore } from '../src/store/replicas.store.ts';

/** The stores of one replica of the room, without its timers: tests say when something happens. */
export interface TestReplica {
  readonly id: string;
  readonly auctions: AuctionsStore;
  readonly replicas: ReplicasStore;
  readonly leases: LeasesStore;
  /** The lease of an auction's shard, after `lead`. */
  leaseOf(auctionId: string): Lease;
  /** Takes every shard that nobody leads. */
  lead(): Promise<void>;
}

/** A replica that works. */
export async function joinReplica(pool: pg.Pool): Promise<TestReplica> {
  const id = randomUUID();
  const replicas = replicasStore(pool, { id, name: 'test' });
  const leases = leasesStore(pool, id);
  await replicas.detectOutage();
  let held: readonly Lease[] = [];
  return {
    id,
    replicas,
    leases,
    auctions: auctionsStore({ pool, replicaId: id, turnEndMicros: 150_000 }),
    leaseOf(auctionId) {
      const lease = held.find(({ shard }) => shard === shardOf(auctionId));
      if (lease === undefined) throw new Error(`shard of ${auctionId} not led`);
      return lease;
    },
    async lead() {
      held = [...held, ...(await leases.take(SHARDS))];
    },
  };
}

/** Makes it look as if the last replica had died so many seconds ago: tests move the clock instead of waiting. */
export async function silence(pool: pg.Pool, seconds: number): Promise<void> {
  await pool.query(`UPDATE replica SET alive_at = clock_timestamp() - make_interval(secs => $1)`, [seconds]);
}

/** Makes it look as if no leader had prolonged its leases. */
export async function expireLeases(pool: pg.Pool): Promise<void> {
  await pool.query(`UPDATE lease SET until = clock_timestamp() - interval '1 s'`);
}

/** Records an outage of the past, which auctions take into account at their next command. */
export async function recordOutage(pool: pg.Pool, awayFrom: string, awayUntil: string): Promise<void> {
  await pool.query(
    'INSERT INTO outage (number, away_from, away_until) SELECT coalesce(max(number), 0) + 1, $1, $2 FROM outage',
    [parseInstant(awayFrom), parseInstant(awayUntil)],
  );
}

/** Lets all replicas, or one of them, count as working however slow the machine is: their signs of work lie in the future. */
export async function workForAnHour(pool: pg.Pool, id?: string): Promise<void> {
  const text = `UPDATE replica SET alive_at = clock_timestamp() + interval '1 hour' WHERE $1::uuid IS NULL OR id = $1`;
  await pool.query(text, [id ?? null]);
}

/** Does the same to every sign of work from now on, also of replicas that join later. */
export async function keepWorking(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE FUNCTION keep_working() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.alive_at := clock_timestamp() + interval '1 hour'; RETURN NEW; END $$;
    CREATE TRIGGER keep_working BEFORE INSERT OR UPDATE ON replica FOR EACH ROW EXECUTE FUNCTION keep_working();`);
}

/** Removes the replica that began last, after its end: its signs of work would count for an hour. */
export async function removeNewest(pool: pg.Pool): Promise<void> {
  await pool.query('DELETE FROM replica WHERE started_at = (SELECT max(started_at) FROM replica)');
}

/** Ends `keepWorking`: replicas that stand still are away again. */
export async function workAsUsual(pool: pg.Pool): Promise<void> {
  await pool.query('DROP FUNCTION keep_working CASCADE');
}
