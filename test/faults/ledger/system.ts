import type { Part } from '@procurement/local-stack/part';
import { freePorts, SERVICES, type ServiceName } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { openLink, type Link } from './proxy.ts';

/** Everything that others connect to: each behind a proxy of its own. */
export const LINKS = ['postgres', 'nats', 'tenders', 'bids', 'awards', 'documents', 'auction', 'register'] as const;
export type LinkName = (typeof LINKS)[number];

/** The system under test: two processes of each service, and a proxy on every connection between parts. */
export interface LedgerSystem {
  readonly stack: Stack;
  readonly gateways: readonly string[];
  /** Both processes of each service, and the only one of PostgreSQL and NATS. */
  readonly parts: Readonly<Record<ServiceName | 'postgres' | 'nats', readonly Part[]>>;
  readonly links: Readonly<Record<LinkName, Link>>;
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** A lost position is found soon, so that a run has many faults. */
const SETTINGS = { POSITION_CHECK_SECONDS: '2', LOG_LEVEL: 'warn' } as const;

export async function startSystem(dataDir: string): Promise<LedgerSystem> {
  // First: ports are only known to be free, and a proxy could take one of them.
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
    Object.fromEntries(Object.entries(env).map(([name, value]) => [name, throughLinks(value)]));
  const closeLinks = (): void => LINKS.forEach((name) => links[name].close());
  try {
    const stack = await startStack({ dataDir, ports, env: SETTINGS, adjustEnv });
    const replicas = await Promise.all(SERVICES.map(async (name) => [name, await stack.addReplica(name)] as const));
    for (const [name, { url }] of replicas) {
      if (name !== 'gateway') links[name].targets = [ports[name], Number(new URL(url).port)];
    }
    const second = Object.fromEntries(replicas);
    const both = SERVICES.map((name) => [name, [stack.parts[name], second[name]]] as const);
    return {
      stack,
      dataDir,
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
        closeLinks();
      },
    };
  } catch (error) {
    closeLinks();
    throw error;
  }
}
