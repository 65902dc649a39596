import type { ReadyDetail } from '@procurement/kit/runtime/ready-detail';
import type pg from 'pg';
import { readFollow, type FollowState } from './follow.store.ts';

const LAG_SECONDS_MAX = 60;
const SILENT_SECONDS_MAX = 60;

/** Why readers would miss publications here; undefined when they would not (register.md 11.3). */
export async function followUnready(pool: pg.Pool): Promise<string | undefined> {
  const state = await readFollow(pool);
  if (state === undefined) return 'the back-fill has not begun';
  if (state.backfill !== undefined) return 'the back-fill is under way';
  const lag = lagSeconds(state);
  return lag > LAG_SECONDS_MAX ? `publications are applied ${Math.round(lag)} s late` : undefined;
}

/**
 * Whether publications are followed at all, as any replica sees it. An owner that does not answer leaves the register in the
 * rotation: what it has is what there is.
 */
export async function followDetails(pool: pg.Pool): Promise<readonly ReadyDetail[]> {
  const { silentSeconds = 0 } = (await readFollow(pool)) ?? {};
  if (silentSeconds < SILENT_SECONDS_MAX) return [];
  const text = 'the owner of publications does not answer, or its answers cannot be applied';
  return [{ kind: 'follower', name: 'publications', count: 1, oldestSeconds: Math.round(silentSeconds), text }];
}

/** 0 when the owner had nothing more when it last answered. */
function lagSeconds({ position, head, now }: FollowState): number {
  return head > position ? (now - position) / 1_000_000 : 0;
}
