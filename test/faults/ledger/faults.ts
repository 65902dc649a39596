import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '@procurement/local-stack/part';
import { SERVICES, type ServiceName } from '@procurement/local-stack/ports';
import pg from 'pg';
import type { LinkState } from './proxy.ts';
import type { FaultKind, PlannedFault } from './schedule.ts';
import { LINKS, type LedgerSystem, type LinkName } from './system.ts';

/** A kind of fault, and how it begins and ends. */
interface Fault extends FaultKind {
  begin(system: LedgerSystem, target: string): Promise<void>;
  end(system: LedgerSystem, target: string): Promise<void>;
}

/** `bids 2`: the second process of bids. */
const PROCESSES = SERVICES.flatMap((name) => [`${name} 1`, `${name} 2`]);

function requirePart({ parts }: LedgerSystem, target: string): Part {
  const [name, number = '1'] = target.split(' ');
  // The targets are made from these names.
  const part = parts[name as ServiceName][Number(number) - 1];
  if (part === undefined) throw new Error(`no process ${target}`);
  return part;
}

const killed = (targets: readonly string[], holdMs: readonly [number, number]): Fault => ({
  targets,
  holdMs,
  begin: async (system, target) => requirePart(system, target).kill('SIGKILL'),
  end: async (system, target) => requirePart(system, target).start(),
});

/** Both processes of a service at once. */
const gone: Fault = {
  targets: SERVICES,
  holdMs: [200, 3_000],
  begin: async (system, target) =>
    void (await Promise.all(selectParts(system, target).map(async (part) => part.kill('SIGKILL')))),
  end: async (system, target) =>
    void (await Promise.all(selectParts(system, target).map(async (part) => part.start()))),
};

function selectParts({ parts }: LedgerSystem, target: string): readonly Part[] {
  return parts[target as ServiceName];
}

const paused: Fault = {
  targets: [...PROCESSES, 'nats'],
  holdMs: [500, 8_000],
  begin: async (system, target) => void process.kill(requirePart(system, target).pid(), 'SIGSTOP'),
  end: async (system, target) => void process.kill(requirePart(system, target).pid(), 'SIGCONT'),
};

const link = (state: LinkState, holdMs: readonly [number, number], targets: readonly LinkName[] = LINKS): Fault => ({
  targets,
  holdMs,
  begin: async ({ links }, target) => links[target as LinkName].become(state),
  end: async ({ links }, target) => links[target as LinkName].become('open'),
});

/** The tables of copies and of positions in streams: what a follower has of others. */
const COPIES = ['kit.replica', 'kit.inbox', 'kit.consumer_position', 'kit.consumer_check'];
const FOLLOWERS = ['bids', 'awards', 'documents', 'auction', 'register'] as const;

/** All of the register is a copy. The audit table refuses to lose rows. */
const TABLES_OF_REGISTER = `SELECT concat_ws('.', quote_ident(schemaname), quote_ident(tablename)) AS name FROM pg_tables
  WHERE schemaname IN ('public', 'kit') AND tablename NOT IN ('audit') AND tablename NOT LIKE '\\_%' AND tablename NOT LIKE 'earlier\\_%'`;

async function onDatabase<T>(
  { stack }: LedgerSystem,
  service: ServiceName,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: stack.databaseUrl(service) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function copiedTables(client: pg.Client, service: ServiceName): Promise<readonly string[]> {
  if (service !== 'register') return COPIES;
  return (await client.query<{ name: string }>(TABLES_OF_REGISTER)).rows.map(({ name }) => name);
}

const earlier = (table: string): string => `earlier_${table.replace('.', '_')}`;

/** Keeps what each follower has now, to be restored later. */
export async function backUpFollowers(system: LedgerSystem): Promise<void> {
  for (const service of FOLLOWERS) {
    await onDatabase(system, service, async (client) => {
      const tables = await copiedTables(client, service);
      const copy = tables.map(
        (name) => `DROP TABLE IF EXISTS ${earlier(name)}; CREATE TABLE ${earlier(name)} AS TABLE ${name}`,
      );
      await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${copy.join('; ')}; COMMIT`);
    });
  }
}

/** A follower's database comes back as it was at the last backup, which is repeated then. */
const restored: Fault = {
  targets: FOLLOWERS,
  holdMs: [0, 500],
  begin: async (system, target) => gone.begin(system, target),
  async end(system, target) {
    const service = target as ServiceName;
    await onDatabase(system, service, async (client) => {
      const tables = await copiedTables(client, service);
      const restore = tables.map((name) => `TRUNCATE ${name}; INSERT INTO ${name} SELECT * FROM ${earlier(name)}`);
      await client.query(`BEGIN; ${restore.join('; ')}; COMMIT`);
    });
    await gone.end(system, target);
  },
};

/** NATS comes back with an empty disk: all its streams and positions are lost. */
const emptied: Fault = {
  targets: ['nats'],
  holdMs: [100, 1_000],
  begin: async ({ stack }) => stack.parts.nats.kill('SIGKILL'),
  async end({ stack, dataDir }) {
    rmSync(join(dataDir, 'nats'), { recursive: true, force: true });
    await stack.parts.nats.start();
  },
};

/** The object store has no room: uploads are refused, and nothing else. */
const full: Fault = {
  targets: ['store'],
  holdMs: [500, 5_000],
  begin: async ({ store }) => void (store.isFull = true),
  end: async ({ store }) => void (store.isFull = false),
};

/** Every kind of fault by its name. */
export const faults: Readonly<Record<string, Fault>> = {
  'killed: a process': killed(PROCESSES, [100, 2_000]),
  'killed: both processes': gone,
  'killed: nats': killed(['nats'], [100, 3_000]),
  'killed: ledger': killed(['ledger 1', 'ledger 2'], [100, 2_000]),
  'killed: store': {
    targets: ['store'],
    holdMs: [100, 2_000],
    begin: async ({ store }) => store.kill(),
    end: async ({ store }) => store.start(),
  },
  'killed: postgres': killed(['postgres'], [100, 2_000]),
  paused,
  'link cut': link('cut', [200, 3_000]),
  'link stalled': link('stalled', [500, 6_000]),
  'link slow': link('slow', [1_000, 6_000]),
  'acknowledgements lost': link('deaf', [500, 3_000], ['nats']),
  'restored from a backup': restored,
  'nats emptied': emptied,
  'store full': full,
};

/** Begins a fault, holds it, and ends it. */
export async function inject(system: LedgerSystem, { kind, target, holdMs }: PlannedFault): Promise<void> {
  const fault = faults[kind];
  if (fault === undefined) throw new Error(`no fault ${kind}`);
  await fault.begin(system, target);
  await new Promise((resolve) => setTimeout(resolve, holdMs));
  await fault.end(system, target);
}
