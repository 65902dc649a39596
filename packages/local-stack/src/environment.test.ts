import { describe, expect, it } from 'vitest';
import { serviceEnvironment } from './environment.ts';
import { portFamily, SERVICES } from './ports.ts';

describe('serviceEnvironment', () => {
  const passwordsAt = (server: string) => ({
    gateway: `${server}-gateway`,
    tenders: `${server}-tenders`,
    bids: `${server}-bids`,
    awards: `${server}-awards`,
    documents: `${server}-documents`,
    auction: `${server}-auction`,
    register: `${server}-register`,
    ledger: `${server}-ledger`,
  });
  const secrets = {
    identityKeys: { privateKey: 'private', publicKey: 'public' },
    idempotency: 'idempotency',
    files: 'files',
    feed: 'f'.repeat(64),
    bids: 'b'.repeat(64),
    receiptKeys: { privateKey: 'receipts', publicKey: 'public' },
    register: 'r'.repeat(64),
    ledger: { privateKey: 'ledger', blind: 'l'.repeat(64) },
    databasePasswords: { postgres: 'superuser', ...passwordsAt('database') },
    natsPasswords: passwordsAt('nats'),
    auctionRoom: { database: 'r', master: 'm' },
  };
  const options = { ports: portFamily(8_080), secrets, filesDir: '/files', host: '0.0.0.0' };

  it('gives each service its own database, and only the gateway the public address', () => {
    expect(serviceEnvironment('bids', options)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: '8082',
      DATABASE_URL: 'postgresql://bids:database-bids@127.0.0.1:8091/bids',
      NATS_USER: 'bids',
      NATS_PASSWORD: 'nats-bids',
      SANDBOX_MODE: 'on',
    });
    expect(serviceEnvironment('gateway', options)).toMatchObject({
      HOST: '0.0.0.0',
      OPERATIONS_PORT: '8093',
      BIDS_URL: 'http://127.0.0.1:8082',
    });
  });

  it('gives every service the address of the gateway for its links, which events and webhooks have too', () => {
    const bases = SERVICES.map((service) => serviceEnvironment(service, options)['PUBLIC_BASE_URL']);
    expect(new Set(bases)).toEqual(new Set(['http://127.0.0.1:8080']));
  });

  it.each([
    ['FEED_SECRET', 'tenders'],
    ['BIDS_KEYS', 'bids'],
    ['BIDS_RECEIPT_KEY', 'bids'],
    ['REGISTER_KEYS', 'register'],
    ['LEDGER_KEY', 'ledger'],
    ['LEDGER_BLIND_KEY', 'ledger'],
    ['IDENTITY_PRIVATE_KEY', 'gateway'],
    ['IDEMPOTENCY_SECRET', 'gateway'],
    ['FILE_SECRET', 'documents'],
  ])('gives %s to %s only', (variable, owner) => {
    const holders = SERVICES.filter((service) => variable in serviceEnvironment(service, options));
    expect(holders).toEqual([owner]);
  });
});
