import { consume, type Consuming, type ConsumingDeps } from '../consume/consumer.ts';
import type { Subscription } from '../consume/subscription.ts';
import { makeSignal } from '../../runtime/signal.ts';
import { watchPosition } from './position-watch.ts';
import type { Repair } from './repair-rows.ts';

export interface Consumer extends Consuming {
  readonly durable: string;
  /** What is missing here and being repaired; undefined when nothing is. */
  repair(): Repair | undefined;
}

export interface ConsumerDeps extends ConsumingDeps {
  /** Milliseconds between two checks of the position. */
  readonly checkPositionEveryMs?: number;
}

const CHECK_POSITION_EVERY_MS = 60_000;
/** A step of a repair that waits for an owner may end at any point. */
const STOP_MS = 1_000;

/** Starts a consumer whose losses are found and repaired. */
export function startConsumer(subscription: Subscription, deps: ConsumerDeps): Consumer {
  const everyMs = deps.checkPositionEveryMs ?? CHECK_POSITION_EVERY_MS;
  const position = watchPosition(subscription, { ...deps, checkEveryMs: everyMs });
  const consumer = consume(subscription, position, deps);
  const watching = position.run();
  return {
    ...consumer,
    durable: subscription.durable,
    repair: () => position.repair(),
    async stop() {
      position.stop();
      await Promise.all([consumer.stop(), Promise.race([watching, makeSignal().wait(STOP_MS)])]);
    },
  };
}
