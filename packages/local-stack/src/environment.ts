import { LOG_ORIGIN } from './log-origin.ts';
import type { Ports, ServiceName } from './ports.ts';
import type { Secrets } from './secrets.ts';

export interface EnvironmentOptions {
  readonly ports: Ports;
  readonly secrets: Secrets;
  readonly filesDir: string;
  /** Address on which the gateway listens. Everything else listens on 127.0.0.1. */
  readonly host: string;
}

/** The URL of the database of a service. */
export function databaseUrl(
  service: ServiceName,
  { ports, secrets }: Pick<EnvironmentOptions, 'ports' | 'secrets'>,
): string {
  return `postgresql://${service}:${secrets.databasePasswords[service]}@127.0.0.1:${ports.postgres}/${service}`;
}

/** All settings of one service: the same variables as in docker-compose.yml, with local addresses. */
export function serviceEnvironment(
  service: ServiceName,
  options: EnvironmentOptions,
): Readonly<Record<string, string>> {
  const { ports, secrets } = options;
  const localUrl = (port: number): string => `http://127.0.0.1:${port}`;
  const shared = {
    HOST: '127.0.0.1',
    PORT: String(ports[service]),
    DATABASE_URL: databaseUrl(service, options),
    NATS_URL: `nats://127.0.0.1:${ports.nats}`,
    NATS_USER: service,
    NATS_PASSWORD: secrets.natsPasswords[service],
    IDENTITY_PUBLIC_KEYS: secrets.identityKeys.publicKey,
    // Events and webhooks have no request that their links could follow.
    PUBLIC_BASE_URL: localUrl(ports.gateway),
    SANDBOX_MODE: 'on',
    EXIT_WITH_PARENT: 'on',
    // No balancer stands before them, and nobody waits for the end.
    SHUTDOWN_LINGER_SECONDS: '0',
    NODE_ENV: 'production',
  };
  const specific: Readonly<Record<ServiceName, Readonly<Record<string, string>>>> = {
    gateway: {
      HOST: options.host,
      IDENTITY_PRIVATE_KEY: secrets.identityKeys.privateKey,
      IDEMPOTENCY_SECRET: secrets.idempotency,
      OPERATIONS_PORT: String(ports.operations),
      TENDERS_URL: localUrl(ports.tenders),
      BIDS_URL: localUrl(ports.bids),
      AWARDS_URL: localUrl(ports.awards),
      DOCUMENTS_URL: localUrl(ports.documents),
      AUCTION_URL: localUrl(ports.auction),
      REGISTER_URL: localUrl(ports.register),
      LEDGER_URL: localUrl(ports.ledger),
    },
    tenders: { FEED_SECRET: secrets.feed, LEDGER_ORIGIN: LOG_ORIGIN },
    documents: { STORAGE: `folder:${options.filesDir}`, FILE_SECRET: secrets.files },
    bids: {
      BIDS_KEYS: secrets.bids,
      BIDS_RECEIPT_KEY: secrets.receiptKeys.privateKey,
      LEDGER_ORIGIN: LOG_ORIGIN,
    },
    awards: {},
    auction: {},
    register: { REGISTER_KEYS: secrets.register, EXPORT_STORE: `folder:${options.filesDir}/exports` },
    ledger: {
      LEDGER_KEY: secrets.ledger.privateKey,
      LEDGER_BLIND_KEY: secrets.ledger.blind,
      LEDGER_ORIGIN: LOG_ORIGIN,
      LEDGER_STORE: `folder:${options.filesDir}/ledger`,
      BIDS_RECEIPT_PUBLIC_KEYS: secrets.receiptKeys.publicKey,
    },
  };
  return { ...shared, ...specific[service] };
}
