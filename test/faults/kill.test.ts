import { readFileSync } from 'node:fs';
import { isListening, readyPort, SERVICES, type ServiceName } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { broker, patientBroker, pauseBeforeRetry, until, type Broker } from '../support/broker.ts';
import { interfaceBid, minimalTender } from '../support/request-bodies.ts';
import { verifyAndStop } from '../support/verified.ts';

/** The writes of the load: the last acknowledged description of each tender, later ones without an answer, and acknowledged bids. */
interface AcknowledgedWrites {
  readonly certain: Map<string, string>;
  readonly uncertain: Map<string, Set<string>>;
  readonly bids: Map<string, string>;
}

const REPLICA_SERVICES = ['bids', 'awards', 'documents', 'auction'] as const;

let stack: Stack;

beforeAll(async () => {
  // Connections end by age, as in deployments (decision 0147).
  stack = await startStack({ durable: false, env: { CONNECTION_SECONDS_MAX: '2' } });
});

afterAll(async () => {
  await verifyAndStop(stack);
});

/** Publishes, changes and bids until `stopped`. A change that is not answered 200 counts as uncertain. */
async function runWorkload(client: Broker, writes: AcknowledgedWrites, stopped: () => boolean): Promise<void> {
  const ownTenders: { id: string; token: string }[] = [];
  for (let n = 0; !stopped(); n += 1) {
    const description = `change ${n} of ${Math.random()}`;
    const one = ownTenders[n % 7];
    try {
      if (one === undefined || n % 5 === 0) {
        const { status, body } = await client.post('/tenders', minimalTender({ description }));
        if (status !== 201) throw new Error('refused');
        ownTenders.push({ id: body.data.id, token: body.access.token });
        writes.certain.set(body.data.id, description);
      } else if (n % 5 === 1) {
        const { status, body } = await client.post(`/tenders/${one.id}/bids`, interfaceBid(400));
        if (status === 201) writes.bids.set(body.data.id, one.id);
      } else {
        await changeTender(client, writes, one, description);
      }
    } catch {
      // The write was not acknowledged.
      await pauseBeforeRetry();
    }
  }
}

async function changeTender(
  client: Broker,
  writes: AcknowledgedWrites,
  { id, token }: { id: string; token: string },
  description: string,
): Promise<void> {
  const descriptions = writes.uncertain.get(id) ?? new Set();
  writes.uncertain.set(id, descriptions.add(description));
  // Other services are told of the value (decision 0022).
  const value = {
    ...(minimalTender()['value'] as object),
    amount: 1_000 + writes.certain.size + writes.uncertain.size,
  };
  const { status } = await client.patch(`/tenders/${id}?acc_token=${token}`, { description, value });
  if (status !== 200) return;
  writes.certain.set(id, description);
  writes.uncertain.delete(id);
}

async function queryRows<T extends pg.QueryResultRow>(
  service: (typeof REPLICA_SERVICES)[number] | 'tenders',
  query: string,
): Promise<T[]> {
  const client = await connectTo(service);
  try {
    return (await client.query<T>(query)).rows;
  } finally {
    await client.end();
  }
}

async function connectTo(service: (typeof REPLICA_SERVICES)[number] | 'tenders'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: stack.databaseUrl(service) });
  // A killed server emits an error on its connections, which without a listener would end this process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

type ReplicaRow = { id: string; facts: string };

/** Waits until every replica of every tender equals the table of tenders. */
async function expectReplicasEqual(): Promise<void> {
  // A copy that was asked for has a later version (decision 0022).
  const canonical = (list: ReplicaRow[]): string =>
    JSON.stringify(list.map(({ id, facts }) => [id, { ...JSON.parse(facts), version: undefined }]));
  const readRows = async (service: (typeof REPLICA_SERVICES)[number] | 'tenders', query: string): Promise<string> =>
    canonical(await queryRows<ReplicaRow>(service, query));
  // Read each time: a request that lost its answer may still change a tender.
  const isEqual = async (service: (typeof REPLICA_SERVICES)[number], query: string): Promise<boolean> =>
    (await readRows(service, query)) === (await readRows('tenders', 'SELECT id, facts FROM tender ORDER BY id'));
  for (const service of REPLICA_SERVICES) {
    const query = `SELECT id, facts FROM kit.replica WHERE kind = 'tender' ORDER BY id`;
    await until(`the replicas of ${service} to be up to date`, async () => isEqual(service, query));
    expect(await queryRows(service, 'SELECT * FROM kit.dead_letter')).toEqual([]);
  }
}

describe('connections that end by age', () => {
  it.each(['gateway', 'bids'] as const)('are to be given up early by clients of %s', async (service) => {
    const port = stack.serviceOptions(service).env['PORT'];
    const { headers } = await fetch(`http://127.0.0.1:${port}/health`);
    expect(headers.get('keep-alive')).toBe('timeout=2');
  });
});

describe('SIGKILL under load, and restart', () => {
  it.each([
    ['tenders', ['tenders']],
    ['nats-server', ['nats']],
    ['PostgreSQL', ['postgres']],
    ['bids and awards', ['bids', 'awards']],
    ['the gateway', ['gateway']],
    ['tenders and nats-server at once', ['tenders', 'nats']],
  ] as const)('%s: no acknowledged write is lost, and all replicas agree', async (_what, names) => {
    const writes: AcknowledgedWrites = { certain: new Map(), uncertain: new Map(), bids: new Map() };
    let stopped = false;
    const clients = ['broker1', 'broker2', 'broker3'].map((key) => broker(stack.gatewayUrl, key));
    const working = clients.map(async (client) => runWorkload(client, writes, () => stopped));
    await until('some acknowledged writes', async () => writes.certain.size > 10 && writes.bids.size > 3);
    await Promise.all(names.map(async (name) => stack.parts[name].kill('SIGKILL')));
    await Promise.all(names.map(async (name) => stack.parts[name].start()));
    const before = writes.certain.size;
    await until('acknowledged writes after the restart', async () => writes.certain.size > before + 10);
    stopped = true;
    await Promise.all(working);

    const reader = patientBroker(stack.gatewayUrl, undefined);
    for (const [id, description] of writes.certain) {
      const seen = (await reader.get(`/tenders/${id}`)).body.data.description;
      const possible = [description, ...(writes.uncertain.get(id) ?? [])];
      expect(possible).toContain(seen);
    }
    for (const [id, tender] of writes.bids)
      expect((await reader.get(`/tenders/${tender}/bids/${id}`)).status).toBe(200);
    await expectReplicasEqual();
  });

  it('tenders, restarted while nats-server is down: serves, and publishes its stored events later', async () => {
    await Promise.all([stack.parts.tenders.kill('SIGKILL'), stack.parts.nats.kill('SIGKILL')]);
    await stack.parts.tenders.start();
    const { status, body } = await patientBroker(stack.gatewayUrl, 'broker1').post('/tenders', minimalTender());
    expect(status).toBe(201);
    expect((await patientBroker(stack.gatewayUrl, undefined).get(`/tenders/${body.data.id}`)).status).toBe(200);
    await stack.parts.nats.start();
    await expectReplicasEqual();
  });

  it('tenders between the publish of an event and its sent_at: published again, applied once', async () => {
    const owner = await connectTo('tenders');
    const unsent = `SELECT id FROM kit.outbox WHERE sent_at IS NULL`;
    await until('sent_at of earlier events', async () => (await queryRows('tenders', unsent)).length === 0);
    // The update of sent_at waits for a lock that this connection holds: the relay has published and not yet marked the event.
    await owner.query(`
      SELECT pg_advisory_lock(42);
      CREATE FUNCTION hold_mark() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NEW; END $$;
      CREATE TRIGGER hold_mark BEFORE UPDATE OF sent_at ON kit.outbox FOR EACH ROW EXECUTE FUNCTION hold_mark();`);
    const { body } = await patientBroker(stack.gatewayUrl, 'broker1').post('/tenders', minimalTender());
    const id: string = body.data.id;
    const inBids = async () =>
      queryRows('bids', `SELECT version FROM kit.replica WHERE kind = 'tender' AND id = '${id}'`);
    await until('the event in bids', async () => (await inBids()).length === 1);
    expect(await queryRows('tenders', unsent)).toHaveLength(1);
    await stack.parts.tenders.kill('SIGKILL');
    // Its sessions wait for the lock still, and hold the table.
    await owner.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await owner.query('DROP TRIGGER hold_mark ON kit.outbox; DROP FUNCTION hold_mark; SELECT pg_advisory_unlock(42)');
    await owner.end();
    await stack.parts.tenders.start();
    await until('sent_at of the event', async () => (await queryRows('tenders', unsent)).length === 0);
    expect(await inBids()).toEqual([{ version: '1' }]);
    await expectReplicasEqual();
  });
});

/** Whether the process says that it waits for its database. No earlier one of this file had to. */
function saysThatItWaits(service: ServiceName): boolean {
  return readFileSync(stack.serviceOptions(service).logFile, 'utf8').includes('database not available yet');
}

describe('stop and start in any order', () => {
  it('databases and bus first down and last up: services wait, say for what, and go on with their data', async () => {
    const { postgres, nats, ...services } = stack.parts;
    const { body } = await patientBroker(stack.gatewayUrl, 'broker1').post('/tenders', minimalTender());
    await postgres.stop();
    await nats.stop();
    await Promise.all(Object.values(services).map(async (part) => part.stop()));
    const starting = Promise.all(Object.values(services).map(async (part) => part.start()));
    await until('all services to wait', async () => SERVICES.every(saysThatItWaits));
    const ready = await Promise.all(SERVICES.map(async (name) => isListening(readyPort(name, stack.ports))));
    expect(ready).toEqual(SERVICES.map(() => false));
    await Promise.all([nats.start(), postgres.start()]);
    await starting;
    expect((await patientBroker(stack.gatewayUrl, undefined).get(`/tenders/${body.data.id}`)).status).toBe(200);
    await expectReplicasEqual();
  });
});
