import type { Broker } from '../../support/broker.ts';
import type { Recorder } from '../../support/recorder.ts';
import type { StoryContext } from '../../support/story-context.ts';

/** The clients of a story, under their names in the recording. */
export interface Participants {
  readonly story: Recorder;
  readonly buyer: Broker;
  readonly firstBidder: Broker;
  readonly secondBidder: Broker;
  readonly auction: Broker;
  readonly anyone: Broker;
  /** Not recorded: the times of the planner, the clock and other services differ from run to run. */
  readonly operator: Broker;
  /** The first bidder for polling, not recorded. */
  readonly firstBidderUnrecorded: Broker;
}

export function makeParticipants(context: StoryContext, story: Recorder): Participants {
  return {
    story,
    buyer: story.recordAs('buyer', context.broker('broker1')),
    firstBidder: story.recordAs('first bidder', context.broker('broker2')),
    secondBidder: story.recordAs('second bidder', context.broker('broker3')),
    auction: story.recordAs('auction', context.broker('auction')),
    anyone: story.recordAs('anyone', context.broker(undefined)),
    operator: context.broker('broker1'),
    firstBidderUnrecorded: context.broker('broker2'),
  };
}
