import type { Logger } from '@procurement/kit/runtime/log';
import { SHARDS, type Lease, type LeasesStore } from '../store/leases.store.ts';
import type { ReplicasStore } from '../store/replicas.store.ts';

/** The shards that this replica leads. A leader makes stages begin on time; decisions are right without one. */
export interface Leadership {
  shards(): readonly number[];
  /** The lease of a shard that this replica leads. */
  lease(shard: number): Lease | undefined;
  /** Another replica leads it. */
  lost(shard: number): void;
  /** Prolongs, takes and gives away. Called every 2 s, and by tests. */
  round(): Promise<void>;
  /** Gives all shards away, so that others take them at once. */
  stop(): Promise<void>;
}

export interface LeadershipDeps {
  readonly leases: LeasesStore;
  readonly replicas: ReplicasStore;
  /** A replica that does not work, or whose clock is uncertain, leads nothing. */
  readonly isReady: () => boolean;
  /** Called when shards were added. */
  readonly onTaken: () => void;
  readonly log: Logger;
}

const ROUND_MS = 2_000;
/** Given away in one round when a replica has more than its part. */
const SURPLUS_MAX = 1;

export function startLeadership({ leases, replicas, isReady, onTaken, log }: LeadershipDeps): Leadership {
  let held: ReadonlyMap<number, Lease> = new Map();
  let rounds: Promise<void> = Promise.resolve();
  let stopped = false;

  async function release(shards: readonly number[]): Promise<void> {
    if (shards.length === 0) return;
    held = new Map([...held].filter(([shard]) => !shards.includes(shard)));
    await leases.release(shards);
  }

  async function round(): Promise<void> {
    if (stopped) return;
    if (!isReady()) return release([...held.keys()]);
    held = byShard(await leases.renew());
    const part = Math.ceil(SHARDS / Math.max(await replicas.countAlive(), 1));
    if (held.size > part) await release([...held.keys()].slice(0, SURPLUS_MAX));
    if (held.size >= part) return;
    const taken = await leases.take(part - held.size);
    held = new Map([...held, ...byShard(taken)]);
    if (taken.length > 0) onTaken();
  }

  const queueRound = async (): Promise<void> => {
    rounds = rounds.then(round).catch((error: unknown) => log.warn({ err: error }, 'leases not renewed'));
    return rounds;
  };
  const timer = setInterval(() => void queueRound(), ROUND_MS);

  return {
    shards: () => [...held.keys()],
    lease: (shard) => held.get(shard),
    lost(shard) {
      held = new Map([...held].filter(([one]) => one !== shard));
    },
    round: queueRound,
    async stop() {
      clearInterval(timer);
      await rounds;
      stopped = true;
      await release([...held.keys()]);
    },
  };
}

function byShard(leases: readonly Lease[]): ReadonlyMap<number, Lease> {
  return new Map(leases.map((lease) => [lease.shard, lease]));
}
