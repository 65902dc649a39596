import { startStack, type Stack } from '@procurement/local-stack/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { broker, patientBroker, pauseBeforeRetry, until, type Broker, type Json } from '../support/broker.ts';
import { fileUpload } from '../support/file-upload.ts';
import { inTurns } from '../support/in-turns.ts';
import { playLotsToContracts, signContract, type PlayedContract } from '../support/played-contract.ts';
import { verifyAndStop } from '../support/verified.ts';

/** 30 tenders with 100 contracts. */
const LOTS_OF_TENDERS: readonly number[] = [...Array(20).fill(3), ...Array(10).fill(4)];
/** So many tenders or contracts are played or read at a time. */
const AT_A_TIME = 6;
/** Every such tender has a signed contract. The others are pending. */
const SIGNED_EVERY = 3;
const WRITERS = 8;

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({ durable: false });
});

afterAll(async () => {
  await verifyAndStop(stack);
});

/** Answers with 200 or 201, however often the request has to be sent. The services are killed meanwhile. */
async function answered(send: () => ReturnType<Broker['get']>): Promise<Json> {
  for (;;) {
    const answer = await send().catch(() => undefined);
    if (answer?.status === 200 || answer?.status === 201) return answer.body;
    await pauseBeforeRetry();
  }
}

/** Changes contracts and adds documents to them until `stopped`. Returns how many writes were acknowledged. */
async function write(client: Broker, all: readonly PlayedContract[], stopped: () => boolean): Promise<number> {
  let acknowledged = 0;
  for (let n = 0; !stopped(); n += 1) {
    const one = all[Math.floor(Math.random() * all.length)];
    if (one === undefined) throw new Error('no contract');
    const { tokenQuery, contract } = one;
    const own = `/contracts/${contract.id}`;
    const sent =
      n % 4 === 3
        ? client.request('POST', `${own}/documents${tokenQuery}`, fileUpload(`${n}.pdf`, 'application/pdf', 'x'))
        : client.patch(`${own}${tokenQuery}`, { title: `${n} ${Math.random()}` });
    const answer = await sent.catch(() => undefined);
    if (answer !== undefined && answer.status < 300) acknowledged += 1;
    else await pauseBeforeRetry();
  }
  return acknowledged;
}

/** Follows the feed until it ends after `stopped`. Returns the last date of each contract. */
async function follow(client: Broker, stopped: () => boolean): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  let last = '';
  for (let path = '/contracts?mode=_all_&limit=5'; ;) {
    const wasStopped = stopped();
    const page = await answered(async () => client.get(path));
    for (const { id, dateModified } of page.data) {
      // Nothing comes twice unless it has changed, and no position is overtaken.
      expect(dateModified > last).toBe(true);
      last = dateModified;
      seen.set(id, dateModified);
      const { data } = await answered(async () => client.get(`/contracts/${id}`));
      expect(data.dateModified >= dateModified).toBe(true);
    }
    if (wasStopped && page.data.length === 0) return seen;
    path = page.next_page.path.slice('/api/2.5'.length);
  }
}

/** Plays all tenders to their contracts, and signs some. */
async function playAll(buyer: Broker, seller: Broker): Promise<readonly PlayedContract[]> {
  const all: PlayedContract[] = [];
  await inTurns(LOTS_OF_TENDERS.entries(), AT_A_TIME, async ([n, lots]) => {
    const contracts = await playLotsToContracts(buyer, seller, lots);
    const [first] = contracts;
    if (first !== undefined && n % SIGNED_EVERY === 0) await signContract(buyer, first);
    all.push(...contracts);
  });
  return all;
}

describe('the feed of contracts (contracting.md 13, K4)', () => {
  it('gives each reader the last change of every contract, when awards and PostgreSQL are killed under writers', async () => {
    const [buyer, seller] = ['broker1', 'broker2'].map((key) => patientBroker(stack.gatewayUrl, key, '2.5'));
    if (buyer === undefined || seller === undefined) throw new Error('no client');
    const second = await stack.addReplica('awards');
    const secondGateway = await stack.addReplica('gateway', { AWARDS_URL: second.url });
    const all = await playAll(buyer, seller);
    expect(all).toHaveLength(100);
    let [stopped, isQuiet] = [false, false];
    const client = broker(stack.gatewayUrl, 'broker1', '2.5');
    // One for each replica of awards.
    const clients = [client, broker(secondGateway.url, 'broker1', '2.5')];
    const readers = clients.map(async (one) => follow(one, () => isQuiet));
    const writers = Array.from({ length: WRITERS }, async (_, n) =>
      write(clients[n % 2] ?? client, all, () => stopped),
    );
    // Each replica is asked by itself.
    const head = async (one: Broker): Promise<string> =>
      (await answered(async () => one.get('/contracts?mode=_all_&descending=1&limit=1'))).data[0].dateModified;
    const changesGoOn = async (): Promise<void> => {
      for (const one of clients) {
        const before = await head(one);
        await until('changes of contracts', async () => (await head(one)) > before);
      }
    };
    for (const part of [second, stack.parts.postgres, stack.parts.awards]) {
      await changesGoOn();
      await part.kill('SIGKILL');
      await part.start();
    }
    await changesGoOn();
    stopped = true;
    const acknowledged = await Promise.all(writers);
    expect(acknowledged.every((count) => count > 0)).toBe(true);
    // Documents come to awards by events, after the answer.
    let [position, next] = ['', await head(client)];
    while (position !== next) {
      position = next;
      await untilDocumentsShown(all, client);
      next = await head(client);
    }
    isQuiet = true;
    const now = new Map<string, string>();
    await inTurns(all, AT_A_TIME, async ({ contract }) => {
      const { data } = await answered(async () => client.get(`/contracts/${contract.id}`));
      now.set(contract.id, data.dateModified);
    });
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(now);
  });
});

/** Waits until every contract shows the documents that are listed at its address. */
async function untilDocumentsShown(all: readonly PlayedContract[], client: Broker): Promise<void> {
  await inTurns(all, AT_A_TIME, async ({ contract }) => {
    await until('the documents of a contract', async () => {
      const own = `/contracts/${contract.id}`;
      const [shown, listed] = await Promise.all([
        answered(async () => client.get(own)),
        answered(async () => client.get(`${own}/documents?all=1`)),
      ]);
      return (shown.data.documents?.length ?? 0) === listed.data.length;
    });
  });
}
