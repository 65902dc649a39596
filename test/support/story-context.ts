import { patientBroker, type Broker } from './broker.ts';
import type { StoryRoom } from './play-in-room.ts';
import { recorder, type Recorder } from './recorder.ts';

/** The clients and the recorder of a story. */
export interface StoryContext {
  /** A client of segment 2.5 with that key; an anonymous reader without one. */
  broker(key: string | undefined): Broker;
  recorder(story: string): Recorder;
  /** Holds the auctions. Without one the story publishes addresses and reports results itself. */
  readonly room?: StoryRoom;
}

/** A running system, with recordings. */
export function storyContextAt(gatewayUrl: string): StoryContext {
  return { broker: (key) => patientBroker(gatewayUrl, key, '2.5'), recorder };
}

/** Records nothing. */
export const noRecorder: StoryContext['recorder'] = () => ({
  recordAs: (_name, client) => client,
  note: () => undefined,
  expectGolden: async () => undefined,
});

/** A running system whose auctions a room holds. */
export function storyContextWith(room: StoryRoom, gatewayUrl: string): StoryContext {
  return { ...storyContextAt(gatewayUrl), recorder: noRecorder, room };
}
