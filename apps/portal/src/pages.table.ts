import type { PageRoute } from './page-route.tsx';
import { showBuyer } from './pages/buyer/route.tsx';
import { showContract } from './pages/contract/route.tsx';
import { showContracts } from './pages/contracts/route.tsx';
import { searchFeed, tenderFeed } from './pages/search/feed.ts';
import { showSearch } from './pages/search/route.tsx';
import { showHistory, showHistoryPart } from './pages/history/route.tsx';
import { showPlay } from './pages/play/route.tsx';
import { showStart } from './pages/start/route.tsx';
import { showTender, showVersion } from './pages/tender/route.tsx';
import { showStatistics } from './pages/statistics/route.tsx';
import { showSupplier } from './pages/supplier/route.tsx';
import { showText } from './pages/texts/route.tsx';

/** Every page by its path. English ones have the same path below `/en` (portal.md 4). */
export const PAGES: readonly (readonly [path: string, route: PageRoute])[] = [
  ['/', showStart],
  ['/tenders', showSearch],
  ['/tenders.atom', searchFeed],
  ['/tenders/:number.atom', tenderFeed],
  ['/play', showPlay],
  ['/tenders/:number', showTender],
  ['/tenders/:number/version', showVersion],
  ['/buyers/:key', showBuyer],
  ['/suppliers/:key', showSupplier],
  ['/contracts', showContracts],
  ['/contracts/:id', showContract],
  ['/statistics', showStatistics],
  ['/tenders/:number/history', showHistory],
  ['/tenders/:number/history/:rev', showHistoryPart],
  ['/about', showText('about')],
  ['/take-part', showText('take-part')],
  ['/data', showText('data')],
  ['/accessibility', showText('accessibility')],
];
