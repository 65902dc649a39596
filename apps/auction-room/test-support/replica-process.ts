import { makePool } from '@procurement/kit/database/pool';
import { makeLog } from '@procurement/kit/runtime/log';
import type { AuctionCommand } from '../src/store/auctions.store.ts';
import { joinReplica } from './replica.ts';

/** A replica in a process of its own, which a test kills or stops. It leads every shard that nobody led when it started. */
export interface ReplicaRequest {
  readonly number: number;
  /** Runs under the lease of the auction's shard, unless a bidder sends it. */
  readonly run: Omit<AuctionCommand, 'lease'>;
}

export interface ReplicaAnswer {
  /** -1 means that the replica has started. */
  readonly number: number;
  /** Number of events; or the name of the error. */
  readonly appended?: number;
  readonly error?: string;
}

const url = process.env['DATABASE_URL'] ?? '';
const log = makeLog('replica', 'fatal');
const replica = await joinReplica(
  makePool({ url, name: 'replica', connectionsMax: 2, log, idleInTransactionMsMax: 2_000 }),
);
await replica.lead();

process.on('message', (request: ReplicaRequest) => void answer(request));
send({ number: -1 });

async function answer({ number, run }: ReplicaRequest): Promise<void> {
  try {
    const lease = run.actor === 'bidder' ? {} : { lease: replica.leaseOf(run.auctionId) };
    const result = await replica.auctions.run({ ...run, ...lease });
    send({ number, appended: result?.events.length ?? 0 });
  } catch (error) {
    send({ number, error: error instanceof Error ? error.name : String(error) });
  }
}

function send(message: ReplicaAnswer): void {
  process.send?.(message);
}
