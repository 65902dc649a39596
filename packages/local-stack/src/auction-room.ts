import { fileURLToPath } from 'node:url';
import type { Child } from './child.ts';
import type { RunningPart } from './part.ts';
import { startService, type ServiceLaunch } from './service.ts';

const LAUNCH: ServiceLaunch = {
  args: [fileURLToPath(new URL('../../../apps/auction-room/dist/main.js', import.meta.url))],
};

export interface AuctionRoomOptions {
  /** URL of the room's own database, which exists. The room applies its migrations. */
  readonly databaseUrl: string;
  readonly gatewayUrl: string;
  readonly port: number;
  /** Port of probes and of the page of operators. */
  readonly operatorPort: number;
  /** Master keys of links and sessions. */
  readonly secrets: string;
  readonly logFile: string;
  /** Other settings of the room. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the auction room beside a system in sandbox mode, as any auction component runs: with the key `auction`, through the gateway. */
export async function startAuctionRoom(
  options: AuctionRoomOptions,
  onSpawn: (child: Child) => void = () => undefined,
): Promise<RunningPart> {
  const { databaseUrl, gatewayUrl, port, operatorPort, secrets, logFile } = options;
  const env = {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OPERATOR_PORT: String(operatorPort),
    API_URL: gatewayUrl,
    ROOM_API_KEY: 'auction',
    DATABASE_URL: databaseUrl,
    ROOM_SECRETS: secrets,
    SANDBOX_MODE: 'on',
    EXIT_WITH_PARENT: 'on',
    SHUTDOWN_LINGER_SECONDS: '0',
    NODE_ENV: 'production',
    ...options.env,
  };
  const service = { name: 'auction-room', env, readyPort: operatorPort, logFile } as const;
  return startService(service, onSpawn, LAUNCH);
}
