import type { Part } from '@procurement/local-stack/part';
import { freePorts, SERVICES, type ServiceName } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { PRODUCTION_LIMITS } from '../../support/production-limits.ts';
import { openLink, type Link } from './proxy.ts';
import { randomFrom } from './schedule.ts';
import { openStore, type Store } from './store.ts';

/** Everything that others connect to: each behind a proxy of its own. */
export const LINKS = [
  'postgres',
  'nats',
  'tenders',
  'bids',
  'awards',
  'documents',
  'auction',
  'register',
  'ledger',
] as const;
export type LinkName = (typeof LINKS)[number];

/** The system under test: two processes of each service, and a proxy on every connection between parts. */
export interface LedgerSystem {
  readonly stack: Stack;
  readonly gateways: readonly string[];
  /** Both processes of each service, and the only one of PostgreSQL and NATS. */
  readonly parts: Readonly<Record<ServiceName | 'postgres' | 'nats', readonly Part[]>>;
  readonly links: Readonly<Record<LinkName, Link>>;
  readonly store: Store;
  readonly dataDir: string;
  /** Processes that ended although nothing stopped them, with their last error. */
  readonly ended: readonly string[];
  stop(): Promise<void>;
}

/**
 * A lost position is found soon, so that a run has many faults. Connections end by age and clients have limits, as in deployments:
 * a sandbox lets 200 connections of one client ask as often as they are answered, and everybody queues behind them.
 */
const SETTINGS = {
  ...PRODUCTION_LIMITS,
  POSITION_CHECK_SECONDS: '2',
  LOG_LEVEL: 'warn',
  CONNECTION_SECONDS_MAX: '2',
  LEDGER_INTERVAL_MS: '1000',
} as const;

/** The clock of a second process may differ by so much. Identities are valid for 60 s (decision 0015). */
const CLOCK_SHIFT_MS_MAX = 20_000;

/** A setting of Node that moves the clock of its process. Time limits within the process stay as they are. */
export function shiftedClock(ms: number): Readonly<Record<string, string>> {
  const module = `const now = Date.now; Date.now = () => now() + ${ms};
globalThis.Date = class extends Date { constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); } };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` };
}

/** The settings of a service that keeps its files in the store. */
function storedAt(store: Store, env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const setting = (['STORAGE', 'LEDGER_STORE'] as const).find((name) => name in env);
  return setting === undefined ? {} : store.settings(setting);
}

/** The clocks of the second processes differ from those of the first by what the seed decides. */
export async function startSystem(dataDir: string, seed: number): Promise<LedgerSystem> {
  const random = randomFrom(seed);
  const store = await openStore();
  // Proxies open first: ports are only known to be free, and a proxy could take one of them.
  const opened = await Promise.all(LINKS.map(async (name) => [name, await openLink()] as const));
  // `LINKS` are exactly the keys.
  const links = Object.fromEntries(opened) as Record<LinkName, Link>;
  const ports = await freePorts();
  for (const name of LINKS) links[name].targets = [ports[name]];
  // Addresses of other parts, in whatever setting they are.
  const throughLinks = (value: string): string =>
    value.replaceAll(/127\.0\.0\.1:\d+/g, (address) => {
      const name = LINKS.find((one) => address === `127.0.0.1:${ports[one]}`);
      return name === undefined ? address : `127.0.0.1:${links[name].port}`;
    });
  const adjustEnv = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries({ ...env, ...storedAt(store, env) }).map(([name, value]) => [name, throughLinks(value)]),
    );
  const closeOthers = async (): Promise<void> => {
    for (const name of LINKS) links[name].close();
    await store.close();
  };
  try {
    const stack = await startStack({ dataDir, ports, env: SETTINGS, adjustEnv });
    const shifts = SERVICES.map((name) => [name, Math.round((random() * 2 - 1) * CLOCK_SHIFT_MS_MAX)] as const);
    const replicas = await Promise.all(
      shifts.map(async ([name, ms]) => [name, await stack.addReplica(name, shiftedClock(ms))] as const),
    );
    for (const [name, { url }] of replicas) {
      if (name !== 'gateway') links[name].targets = [ports[name], Number(new URL(url).port)];
    }
    const second = Object.fromEntries(replicas);
    const both = SERVICES.map((name) => [name, [stack.parts[name], second[name]]] as const);
    const ended: string[] = [];
    for (const [name, parts] of both)
      for (const [n, part] of parts.entries())
        part?.onUnexpectedExit((line) => ended.push(`${name} ${n + 1}: ${line}`));
    return {
      stack,
      dataDir,
      ended,
      store,
      gateways: [stack.gatewayUrl, second['gateway']?.url ?? stack.gatewayUrl],
      // Safe cast: all services, and the two parts of the stack beside them.
      parts: {
        ...Object.fromEntries(both),
        postgres: [stack.parts.postgres],
        nats: [stack.parts.nats],
      } as unknown as LedgerSystem['parts'],
      links,
      async stop() {
        await stack.stop();
        await closeOthers();
      },
    };
  } catch (error) {
    await closeOthers();
    throw error;
  }
}
