import { randomInt } from 'node:crypto';
import { createServer, connect, type Server } from 'node:net';

/** The services in the order of their start; the gateway last, because it forwards to the others. */
export const SERVICES = ['tenders', 'bids', 'awards', 'documents', 'auction', 'register', 'ledger', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** `operations`, `portalOperations`: where gateway and portal serve `/live`, `/ready` and `/metrics` (rulings R23). */
export type Ports = Readonly<
  Record<ServiceName | 'postgres' | 'nats' | 'operations' | 'portal' | 'portalOperations', number>
>;

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
    ledger: gatewayPort + 7,
    portal: gatewayPort + 8,
    postgres: gatewayPort + 11,
    nats: gatewayPort + 12,
    operations: gatewayPort + 13,
    portalOperations: gatewayPort + 14,
  };
}

/** Port of `/ready` of a service: the gateway serves it apart from its public port. */
export function readyPort(service: ServiceName, ports: Ports): number {
  return service === 'gateway' ? ports.operations : ports[service];
}

// Below the ports that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): a part that is killed and started
// again must find its port free.
const FREE_FROM = 12_000;
const SLICE_PORTS = 1_250;
const SLICES = 16;
/** Ports of a family, with those of an auction room. */
const FAMILY_PORTS = 15;
/** Step between two families that are tried for a person, who remembers round numbers. */
const FAMILY_STEP = 100;
const PORT_MAX = 65_535;
/** A part that is stopped keeps its port. */
const given = new Set<number>();
let ownSlice: Promise<number> | undefined;
let search: Promise<unknown> = Promise.resolve();

/** A family of free ports, for tests: many stacks may run on one machine. */
export async function freePorts(): Promise<Ports> {
  return portFamily(await takeFreePorts(FAMILY_PORTS));
}

/** A free port, for the server of a test. */
export async function freePort(): Promise<number> {
  return takeFreePorts(1);
}

/** One search after the other: two that move over the same ports at once would take every second port from each other. */
async function takeFreePorts(count: number): Promise<number> {
  const found = search.then(async () => findFreePorts(count));
  search = found.catch(() => undefined);
  return found;
}

/** Answers the first of so many consecutive ports, on which nothing listens and which this process has not given before. */
async function findFreePorts(count: number): Promise<number> {
  ownSlice ??= takeSlice();
  const from = await ownSlice;
  const first = randomInt(SLICE_PORTS);
  let run: number[] = [];
  for (let at = 0; at < SLICE_PORTS + count && run.length < count; at += 1) {
    const port = from + ((first + at) % SLICE_PORTS);
    if (given.has(port) || !(await isFree(port))) run = [];
    else run = port - 1 === run.at(-1) ? [...run, port] : [port];
  }
  const [start] = run;
  if (start === undefined || run.length < count) throw new Error(`no ${count} free ports from ${from}`);
  for (const port of run) given.add(port);
  return start;
}

/**
 * Ports that no other process gives: between the moment in which a port is found free and that in which its server listens, another
 * process would find it free too. The process listens on the first port of its slice until it ends.
 */
async function takeSlice(): Promise<number> {
  for (let slice = 0; slice < SLICES; slice += 1) {
    const first = FREE_FROM + slice * SLICE_PORTS;
    const guard = await listening(first);
    // Does not keep the process from ending.
    guard?.unref();
    if (guard !== undefined) return first;
  }
  throw new Error(`${SLICES} processes use free ports from ${FREE_FROM} already`);
}

async function isFree(port: number): Promise<boolean> {
  const server = await listening(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** A server on the port; undefined when another has it. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
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

/** Throws a PortInUseError when a program listens on one of the ports that services need. */
export async function requireFreePorts(ports: Ports): Promise<void> {
  // Not those of PostgreSQL and NATS: a leftover server may listen there, which their start stops.
  const { postgres: _postgres, nats: _nats, ...servicePorts } = ports;
  const [taken] = await portsInUse(servicePorts);
  if (taken !== undefined) throw new PortInUseError(...taken);
}

/** The port of a gateway near the given one whose family is free, also for an auction room beside it. */
export async function freeFamily(gatewayPort: number): Promise<number> {
  for (let port = gatewayPort + FAMILY_STEP; port + FAMILY_PORTS <= PORT_MAX; port += FAMILY_STEP) {
    if ((await portsInUse({ ...portFamily(port), ...auctionRoomPorts(port) })).length === 0) return port;
  }
  return (await freePorts()).gateway;
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
    super(`Port ${port} (${name}) is in use by another program.`);
    this.name = 'PortInUseError';
  }
}
