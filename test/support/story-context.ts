import { broker, type Broker } from './broker.ts';
import { recorder, type Recorder } from './recorder.ts';

/** Where a story is played: who speaks to which system, and who writes it down. */
export interface StoryContext {
  /** A client of segment 2.5 with that key; an anonymous reader without one. */
  broker(key: string | undefined): Broker;
  recorder(story: string): Recorder;
}

/** A system that runs, recorded. */
export function storyContextAt(gatewayUrl: string): StoryContext {
  return { broker: (key) => broker(gatewayUrl, key, '2.5'), recorder };
}

/** Plays on and writes nothing down. */
export const noRecorder: StoryContext['recorder'] = () => ({
  recordAs: (_name, client) => client,
  note: () => undefined,
  expectGolden: async () => undefined,
});
