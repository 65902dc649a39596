import { patientBroker, type Broker } from './broker.ts';
import { recorder, type Recorder } from './recorder.ts';

/** The clients and the recorder of a story. */
export interface StoryContext {
  /** A client of segment 2.5 with that key; an anonymous reader without one. */
  broker(key: string | undefined): Broker;
  recorder(story: string): Recorder;
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
