import { describe, expect, it } from 'vitest';
import { misplacedFiles } from './check-layout.ts';

describe('misplacedFiles', () => {
  it.each([
    'packages/contracts/src/ranking.ts',
    'packages/contracts/src/rules/ranking.ts',
    'packages/contracts/src/resources/tender/item.ts',
    'packages/domain/src/time/instant.ts',
    'packages/kit/src/clock.ts',
    'packages/kit/src/tenders/reader.ts',
    'services/bids/src/http/post-bid/route.ts',
    'services/bids/src/routes.ts',
    'services/bids/src/lib/ranking.ts',
    'services/tenders/src/files/folder-storage.ts',
    'services/register/src/store/search.store.ts',
    'services/register/src/search/http/search-tenders.ts',
    'services/gateway/src/http/routes.ts',
    'services/gateway/src/generations/v1/codec.ts',
    'apps/auction-room/src/helpers/money.ts',
    'test/feed.test.ts',
    'test/e2e/tenders/feed.test.ts',
    'test/golden/story.http',
  ])('names %s', (path) => {
    expect(misplacedFiles([path])).toEqual([expect.stringContaining(`${path} is misplaced: `)]);
  });

  it.each([
    'packages/contracts/src/resources/tender.ts',
    'packages/domain/src/ranking.test.ts',
    'packages/kit/src/messaging/publish/relay.int.test.ts',
    'packages/local-stack/src/stack.ts',
    'services/bids/src/main.ts',
    'services/bids/src/config.test.ts',
    'services/bids/src/http/post-bid.int.test.ts',
    'services/bids/prisma/migrations/20261121_bid/migration.sql',
    'services/documents/src/files/folder-storage.ts',
    'services/register/src/search/domain/search-query.test.ts',
    'services/register/src/search/search-tenders.int.test.ts',
    'services/gateway/src/request/routes.table.test.ts',
    'services/gateway/src/generations/v0.1/codec.ts',
    'apps/auction-room/src/store/auctions.store.int.test.ts',
    'test/e2e/below-threshold/two-bids.test.ts',
    'test/golden/2.5/two-bids.http',
    'tools/db/drift.ts',
    'README.md',
  ])('accepts %s', (path) => {
    expect(misplacedFiles([path])).toEqual([]);
  });
});
