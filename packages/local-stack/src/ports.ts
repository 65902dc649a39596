import { randomInt } from 'node:crypto';
import { createServer, connect } from 'node:net';

/** The services in the order of their start; the gateway last, because it forwards to the others. */
export const SERVICES = ['tenders', 'bids', 'awards', 'documents', 'auction', 'register', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** `operations`: where the gateway serves `/live`, `/ready` and `/metrics`. */
export type Ports = Readonly<Record<ServiceName | 'postgres' | 'nats' | 'operations', number>>;

/** Ports of the auction room beside a gateway: of its pages, and of its operators (rulings R23). */
export function auctionRoomPorts(gatewayPort: number): { readonly pages: number; readonly operators: number } {
  return { pages: gatewayPort + 9, operators: gatewayPort + 10 };
}

/** All ports, derived from the port of the gateway. */
export function portFamily(gatewayPort: number): Ports {
  return {
    gateway: gatewayPort,
    tenders: gatewayPort + 1,
    bids: gatewayPort + 2,
    awards: gatewayPort + 3,
    documents: gatewayPort + 4,
    auction: gatewayPort + 5,
    register: gatewayPort + 6,
    postgres: gatewayPort + 11,
    nats: gatewayPort + 12,
    operations: gatewayPort + 13,
  };
}

/** Port of `/ready` of a service: the gateway serves it apart from its public port. */
export function readyPort(service: ServiceName, ports: Ports): number {
  return service === 'gateway' ? ports.operations : ports[service];
}

// Below the ports that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): a part that is killed and started
// again must find its port free.
const FREE_FROM = 12_000;
const SLICE_PORTS = 2_500;
const SLICES = 8;
/** A part that is stopped keeps its port. */
const given = new Set<number>();

/** Free ports, for tests: many stacks may run on one machine. Test files that run at the same time get ports of different slices. */
export async function freePorts(): Promise<Ports> {
  const names = [...SERVICES, 'postgres', 'nats', 'operations'] as const;
  const ports = await takeFreePorts(names.length);
  // `names` are exactly the keys of Ports.
  return Object.fromEntries(names.map((name, at) => [name, ports[at]])) as Ports;
}

/** A free port, for the server of a test. */
export async function freePort(): Promise<number> {
  const [port = 0] = await takeFreePorts(1);
  return port;
}

async function takeFreePorts(count: number): Promise<readonly number[]> {
  const slice = Number(process.env['VITEST_POOL_ID'] ?? 0) % SLICES;
  const first = randomInt(SLICE_PORTS);
  const ports: number[] = [];
  for (let at = 0; at < SLICE_PORTS && ports.length < count; at += 1) {
    const port = FREE_FROM + slice * SLICE_PORTS + ((first + at) % SLICE_PORTS);
    if (!given.has(port) && (await isFree(port))) ports.push(port);
  }
  if (ports.length < count) throw new Error(`no ${count} free ports from ${FREE_FROM}`);
  for (const port of ports) given.add(port);
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** The ports on which a program already listens, with their names. */
export async function portsInUse(
  ports: Readonly<Record<string, number>>,
): Promise<readonly (readonly [string, number])[]> {
  const checked = await Promise.all(
    Object.entries(ports).map(async ([name, port]) => ((await isListening(port)) ? [[name, port] as const] : [])),
  );
  return checked.flat();
}

/** Whether a program on this machine accepts connections on the port. */
export async function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (listening: boolean): void => {
      socket.destroy();
      resolve(listening);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.setTimeout(1_000, () => finish(false));
  });
}

/** Another program listens on a port that the stack needs. */
export class PortInUseError extends Error {
  constructor(name: string, port: number) {
    super(
      `Port ${port} (${name}) is in use by another program. Stop that program, or choose other ports: PORT=9000 npm start`,
    );
    this.name = 'PortInUseError';
  }
}
