import { readDecimalOffset, readOffset, secondsText } from '@procurement/domain/feed-offset';
import type { FeedOffsets } from '@procurement/kit/feed/feed-query';
import { changesToken, readChangesToken } from './changes-token.ts';

export interface FeedSecrets {
  readonly epoch: number;
  readonly secret: string;
}

/** The offsets of the feed of tenders: `feed=changes` has opaque tokens on segments before 2.5, and decimal ones on 2.5 (rulings R24). */
export function feedOffsets({ epoch, secret }: FeedSecrets): FeedOffsets {
  return {
    print: (stamp, { changes, decimal }) =>
      changes && !decimal ? changesToken(stamp, epoch, secret) : secondsText(stamp),
    read(text, { changes, decimal }) {
      const stamp = decimal ? readDecimalOffset(text) : undefined;
      if (stamp !== undefined) return stamp;
      return changes ? readChangesToken(text, epoch, secret) : readOffset(text);
    },
  };
}
