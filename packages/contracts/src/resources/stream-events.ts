import { z } from 'zod';
import { ChangeNotice } from './change-notice.ts';

/** Data of the first event of a stream. */
const StreamHello = z
  .object({
    position: z.string().describe('Where the reader starts after'),
    heartbeatSeconds: z.int().describe('Seconds of silence after which a heartbeat is sent'),
  })
  .meta({ id: 'StreamHello', description: 'Data of the event `hello`, the first one' });

const StreamBehind = z.object({ from: z.string(), until: z.string() }).meta({
  id: 'StreamBehind',
  description:
    'Data of the event `behind`: of the changes after `from` and up to `until` only the last one of each tender is sent, and then all changes',
});

const StreamReset = z.object({ after: z.string(), before: z.string() }).meta({
  id: 'StreamReset',
  description:
    'Data of the event `reset`: positions after `after` and before `before` are void, since the database was restored. Forget what has one, and read those tenders again',
});

const StreamBye = z
  .object({ reason: z.enum(['age', 'shutdown', 'slow', 'key']) })
  .meta({ id: 'StreamBye', description: 'Data of the event `bye`, the last one: why the server ends the stream' });

/** Schemas of the data of the events of a stream, by their names; that of a change has none, which readers call `message` (register.md 4.1). */
export const STREAM_EVENTS = {
  message: ChangeNotice,
  hello: StreamHello,
  behind: StreamBehind,
  reset: StreamReset,
  bye: StreamBye,
} as const;

export type StreamEventData = { readonly [N in keyof typeof STREAM_EVENTS]: z.infer<(typeof STREAM_EVENTS)[N]> };
