import type { Broker } from '../support/broker.ts';
import type { Recorder } from '../support/recorder.ts';
import type { World } from '../support/world.ts';

/** Who plays a story, under the names that its recording gives them. */
export interface Cast {
  readonly story: Recorder;
  readonly buyer: Broker;
  readonly first: Broker;
  readonly second: Broker;
  readonly auction: Broker;
  readonly anyone: Broker;
  /** Not recorded: when the planner, the clock and sibling services answer differs from run to run. */
  readonly operator: Broker;
  /** The first bidder, who looks until something shows. */
  readonly firstUnrecorded: Broker;
}

export function castOf(world: World, story: Recorder): Cast {
  return {
    story,
    buyer: story.of('buyer', world.broker('broker1')),
    first: story.of('first bidder', world.broker('broker2')),
    second: story.of('second bidder', world.broker('broker3')),
    auction: story.of('auction', world.broker('auction')),
    anyone: story.of('anyone', world.broker(undefined)),
    operator: world.broker('broker1'),
    firstUnrecorded: world.broker('broker2'),
  };
}
