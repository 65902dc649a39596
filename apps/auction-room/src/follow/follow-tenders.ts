import { DAY, SECOND, type Instant } from '@procurement/contracts/reading/instant';
import type { Logger } from '@procurement/kit/runtime/log';
import { startLoop, type AfterRound } from '@procurement/kit/runtime/loop';
import { z } from 'zod';
import type { Leadership } from '../lead/lead-shards.ts';
import type { FollowStore } from '../store/follow.store.ts';
import type { TenderService } from '../tender-service/client.ts';
import { feedPage } from '../tender-service/requests.ts';

export interface Follower {
  /** Seconds since the end of the feed was last reached by this replica; undefined when it does not follow. */
  lagSeconds(): number | undefined;
  stop(): Promise<void>;
}

export interface FollowerDeps {
  readonly follow: FollowStore;
  readonly service: TenderService;
  readonly leadership: Leadership;
  readonly now: () => Instant;
  readonly pauseMs: number;
  /** Called when tenders have to be read. */
  readonly onRequested: () => void;
  readonly log: Logger;
}

/** Whoever leads this shard follows the feed: one replica at a time. */
const FOLLOW_SHARD = 0;
/** No auction is further ahead of the last change of its tender. */
const START_OVER = 60 * DAY;

const Page = z.object({
  data: z.array(z.object({ id: z.string(), status: z.string().optional() })),
  next_page: z.object({ offset: z.coerce.string() }),
});

/** Follows the feed of the tender service (auction-room.md 7.1). What it finds is read by `read-tenders.ts`. */
export function followTenders(deps: FollowerDeps): Follower {
  const { follow, service, leadership, now, pauseMs, onRequested, log } = deps;
  let endReachedAt: Instant | undefined;

  async function round(): Promise<AfterRound> {
    const lease = leadership.lease(FOLLOW_SHARD);
    if (lease === undefined) {
      endReachedAt = undefined;
      return;
    }
    const offset = (await follow.position())?.offset ?? String(Math.floor((now() - START_OVER) / SECOND));
    const answer = await service.send(feedPage(offset));
    if (answer.status === 404) {
      log.warn('the feed does not have the position any more: it is read again');
      await follow.advance({
        offset: String(Math.floor((now() - START_OVER) / SECOND)),
        wanted: [],
        others: [],
        lease,
      });
      return;
    }
    const page = Page.safeParse(answer.body);
    if (answer.status !== 200 || !page.success) {
      log.warn({ status: answer.status, description: answer.description }, 'feed of tenders not read');
      return;
    }
    const { data, next_page: next } = page.data;
    const wanted = data.filter(({ status }) => status === 'active.auction').map(({ id }) => id);
    const others = data.filter(({ status }) => status !== 'active.auction').map(({ id }) => id);
    if (data.length > 0 || next.offset !== offset) await follow.advance({ offset: next.offset, wanted, others, lease });
    if (data.length > 0) onRequested();
    else endReachedAt = now();
    return data.length > 0 ? 'more' : undefined;
  }

  const { stop } = startLoop(round, { pauseMs, log, failure: 'feed of tenders not followed' });

  return {
    lagSeconds: () => (endReachedAt === undefined ? undefined : (now() - endReachedAt) / SECOND),
    stop,
  };
}
