import { setTimeout as pause } from 'node:timers/promises';
import { forkWith } from '../../bench/fork-with.ts';
import { broker } from '../../support/broker.ts';
import { publish } from '../../support/published-tender.ts';
import { minimalTender } from '../../support/request-bodies.ts';

/** A hostile broker. `stop` resolves with the id of its tender, whose dead letters it has earned. */
export interface Hostile {
  stop(): Promise<string>;
}

// Just below the limits: a text of 30,000 characters in two bytes each, in as many items as fit into a body of 4 MiB.
const LARGE_TEXT = 'ї'.repeat(29_900);
const LARGE_ITEMS = 60;
const PAUSE_MS = 250;
const LAST_ANSWER_MS_MAX = 30_000;

/** Holds 200 connections of bad manners, and changes a tender of its own to the largest one allowed, over and over. */
export async function startHostile(gateway: string): Promise<Hostile> {
  const client = broker(gateway, 'brokert', '2.5');
  const { id, path, tokenQuery, data } = await publish(client, minimalTender());
  const connections = await forkWith(new URL('../../bench/hostile-process.ts', import.meta.url), {
    url: gateway,
    tenderId: id,
  });
  await connections.ask('open');
  let isOver = false;
  const changing = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const items = Array.from({ length: LARGE_ITEMS }, (_, item) => ({
        ...data.items[0],
        id: `item${item}`,
        description: `${n} ${LARGE_TEXT}`,
      }));
      // Refusals and lost connections are expected: nobody else depends on this client.
      await client.patch(path + tokenQuery, { items }).catch(() => undefined);
      await pause(PAUSE_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await connections.stop();
      // A request that hangs ends with its process.
      await Promise.race([changing, pause(LAST_ANSWER_MS_MAX, undefined, { ref: false })]);
      return id;
    },
  };
}
