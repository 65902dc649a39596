import type { Stack } from '@procurement/local-stack/stack';
import { broker } from '../support/broker.ts';
import { minimalTender } from '../support/request-bodies.ts';
import type { BenchmarkRow } from './row.ts';

const SECONDS = 4;

/** Changes of published tenders per second, durable, through the gateway, with one writer and with eight (rulings R7). */
export async function writeRows(stack: Stack): Promise<BenchmarkRow[]> {
  const [one, eight] = [await changesPerSecond(stack, 1), await changesPerSecond(stack, 8)];
  const figures = `${Math.round(one)}/s with one writer, ${Math.round(eight)}/s with eight`;
  return [{ what: 'PATCH of a tender, eight writers against one', ratio: eight / one, figures }];
}

async function changesPerSecond(stack: Stack, writers: number): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: writers }, async (_, n) => {
      const client = broker(stack.gatewayUrl, `broker${(n % 3) + 1}`, '2.5');
      const { body } = await client.post('/tenders', minimalTender());
      return { client, path: `/tenders/${body.data.id}?acc_token=${body.access.token}` };
    }),
  );
  const end = performance.now() + SECONDS * 1_000;
  const counts = await Promise.all(
    clients.map(async ({ client, path }) => {
      let count = 0;
      for (; performance.now() < end; count += 1) {
        const { status } = await client.patch(path, { description: `change ${count}` });
        if (status !== 200) throw new Error(`PATCH of a tender answered ${status}`);
      }
      return count;
    }),
  );
  let all = 0;
  for (const count of counts) all += count;
  return all / SECONDS;
}
