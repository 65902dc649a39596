import { createServer, connect } from 'node:net';

/** The services in the order of their start; the gateway last, because it forwards to the others. */
export const SERVICES = ['tenders', 'bids', 'awards', 'documents', 'auction', 'register', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** `operations`: where the gateway serves `/live`, `/ready` and `/metrics`. */
export type Ports = Readonly<Record<ServiceName | 'postgres' | 'nats' | 'operations', number>>;

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

/** Ports that the system reports as free, for tests: many stacks may run on one machine. */
export async function freePorts(): Promise<Ports> {
  const names = [...SERVICES, 'postgres', 'nats', 'operations'] as const;
  // All are reserved at the same time, so that no port comes twice.
  const reserved = await Promise.all(names.map(async () => reservePort()));
  const pairs = names.map((name, at) => [name, reserved[at]?.port ?? 0] as const);
  await Promise.all(reserved.map(async ({ close }) => close()));
  // `names` are exactly the keys of Ports.
  return Object.fromEntries(pairs) as Ports;
}

async function reservePort(): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, close: async () => new Promise((resolve) => server.close(() => resolve())) };
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
