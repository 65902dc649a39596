import type { Ports, ServiceName } from './ports.ts';
import type { Secrets } from './secrets.ts';

export interface EnvironmentWish {
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly filesDir: string;
  /** Address on which the gateway listens; everything else stays on 127.0.0.1. */
  readonly host: string;
}

/** The address of a service's own database. */
export function databaseUrl(
  service: ServiceName,
  { ports, secrets }: Pick<EnvironmentWish, 'ports' | 'secrets'>,
): string {
  return `postgresql://${service}:${secrets.database}@127.0.0.1:${ports.postgres}/${service}`;
}

/** All settings of one service in the embedded default: the same variables as in compose, with local addresses. */
export function environmentOf(service: ServiceName, wish: EnvironmentWish): Readonly<Record<string, string>> {
  const { ports, secrets } = wish;
  const local = (port: number): string => `http://127.0.0.1:${port}`;
  const common = {
    HOST: '127.0.0.1',
    PORT: String(ports[service]),
    DATABASE_URL: databaseUrl(service, wish),
    NATS_URL: `nats://127.0.0.1:${ports.nats}`,
    IDENTITY_SECRET: secrets.identity,
    PUBLIC_BASE_URL: local(ports.gateway),
    SANDBOX_MODE: 'on',
    EXIT_WITH_PARENT: 'on',
    NODE_ENV: 'production',
  };
  const own: Readonly<Record<ServiceName, Readonly<Record<string, string>>>> = {
    gateway: {
      HOST: wish.host,
      TENDERS_URL: local(ports.tenders),
      BIDS_URL: local(ports.bids),
      AWARDS_URL: local(ports.awards),
      DOCUMENTS_URL: local(ports.documents),
      AUCTION_URL: local(ports.auction),
    },
    tenders: { FEED_SECRET: secrets.feed },
    documents: { STORAGE: `folder:${wish.filesDir}` },
    bids: {},
    awards: {},
    auction: {},
  };
  return { ...common, ...own[service] };
}
