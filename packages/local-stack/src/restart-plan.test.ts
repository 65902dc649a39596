import { describe, expect, it } from 'vitest';
import { SERVICES } from './ports.ts';
import { servicesToRestart, serviceToGenerate, type ServicePackages } from './restart-plan.ts';

const everything = ['contracts', 'domain', 'kit'];
const PACKAGES: ServicePackages = {
  tenders: everything,
  bids: everything,
  awards: everything,
  documents: ['contracts', 'kit'],
  auction: everything,
  register: everything,
  ledger: ['contracts', 'kit'],
  gateway: everything,
};

describe('servicesToRestart', () => {
  it.each([
    ['services/bids/src/http/post-bid.ts', ['bids']],
    ['services/bids/prisma/schema.prisma', ['bids']],
    ['services/gateway/prisma/migrations/20261122_keys/migration.sql', ['gateway']],
    ['packages/kit/src/http/mount.ts', SERVICES],
    ['packages/kit/prisma/kit-migrations/0_init/migration.sql', SERVICES],
    ['packages/contracts/src/problems/problems.json', SERVICES],
    ['packages/domain/src/ranking.ts', SERVICES.filter((name) => name !== 'documents' && name !== 'ledger')],
  ])('%s restarts %j', (path, services) => {
    expect(servicesToRestart(path, PACKAGES)).toEqual(services);
  });

  it.each([
    'services/bids/src/domain/bid.decide.test.ts',
    'services/bids/src/store/bids.store.int.test.ts',
    'services/bids/test-support/bidding.ts',
    'services/bids/bench/decide.ts',
    'services/bids/src/gen/client.ts',
    'services/bids/prisma/migrations',
    'services/bids/README.md',
    'services/unknown/src/main.ts',
    'packages/kit/src/http/mount.test.ts',
    'packages/contracts/asyncapi.json',
    'packages/local-stack/src/dev.ts',
    'packages/testing/src/clock.ts',
    'test/e2e/feed.test.ts',
    'tools/check.ts',
    'README.md',
  ])('%s restarts nothing', (path) => {
    expect(servicesToRestart(path, PACKAGES)).toEqual([]);
  });
});

describe('serviceToGenerate', () => {
  it('is the service of a Prisma schema', () => {
    expect(serviceToGenerate('services/bids/prisma/schema.prisma')).toBe('bids');
    expect(serviceToGenerate('services/bids/prisma/migrations/1_bid/migration.sql')).toBeUndefined();
    expect(serviceToGenerate('packages/kit/prisma/schema.prisma')).toBeUndefined();
  });
});
