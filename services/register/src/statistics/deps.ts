import type { Clock } from '@procurement/kit/runtime/clock';
import type { RequestDeps } from '../requests/deps.ts';
import type { RevisionDeps } from '../revisions/deps.ts';
import type { StatisticsStore } from './statistics.store.ts';

/** What answers about sums over tenders need. */
export interface StatisticsDeps extends RequestDeps, Pick<RevisionDeps, 'freshness'> {
  readonly clock: Clock;
  readonly statistics: StatisticsStore;
}
