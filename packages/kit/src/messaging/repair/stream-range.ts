import { AckPolicy, DeliverPolicy, type ConsumerConfig, type JsMsg } from '@nats-io/jetstream';
import { readerName } from '@procurement/contracts/events/subjects';
import { isApiError, type Bus } from '../bus.ts';
import { CONSUMER_NOT_FOUND, type ConsumerDeclaration } from '../consume/ensure-consumer.ts';
import { bytesMaxOfFetch, fetchMessages } from '../consume/fetch-messages.ts';
import type { ServerState } from './assess-position.ts';

/** Nanoseconds after which the server removes a consumer that nobody reads. */
const INACTIVE_AFTER = 30_000_000_000;
const READ_EXPIRES_MS = 2_000;
/** While the connection does not know `max_payload`. */
const READ_BYTES_MAX = 8_000_000;

/** What the server says about the stream of a durable, then about the durable: it may only be further than the stream says. */
export async function readServerState(
  { manager }: Bus,
  { stream, durable }: ConsumerDeclaration,
): Promise<ServerState> {
  const { created, state } = await manager.streams.info(stream.name);
  const streamState = { createdAt: created, firstSeq: state.first_seq, lastSeq: state.last_seq };
  try {
    const info = await manager.consumers.info(stream.name, durable);
    return {
      stream: streamState,
      durable: {
        // Servers since 2.10 do not move it over events that the filter excludes.
        deliveredSeq:
          info.num_pending === 0 ? Math.max(info.delivered.stream_seq, state.last_seq) : info.delivered.stream_seq,
        ackFloorSeq: info.ack_floor.stream_seq,
        ackPending: info.num_ack_pending,
      },
    };
  } catch (error) {
    if (!isApiError(error, CONSUMER_NOT_FOUND)) throw error;
    return { stream: streamState, durable: undefined };
  }
}

/** The sequence of the first event after this one that matches the filter. */
export async function nextMatchingSeq(
  { manager }: Bus,
  { stream, filter }: ConsumerDeclaration,
  afterSeq: number,
): Promise<number | undefined> {
  // The type of the library lacks `next_by_subj`, which nats-server knows since 2.9.
  const query: { readonly seq: number; readonly next_by_subj: string } = { seq: afterSeq + 1, next_by_subj: filter };
  return (await manager.streams.getMessage(stream.name, query))?.seq;
}

/** The first events after a sequence that match the filter, at most `max` and 100; none when there are no more. */
export async function readAfter(
  bus: Bus,
  declaration: ConsumerDeclaration,
  afterSeq: number,
  max: number,
): Promise<readonly JsMsg[]> {
  const start = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: afterSeq + 1 };
  return readOnce(bus, declaration, start, max);
}

/**
 * Reads by a consumer of its own, so that the durable and the processes that share it are not disturbed. Its name is known to the
 * permissions of NATS (decision 0068), so processes of a service share the name. Throws when it did not get the first messages of
 * the range: another process has read some of them, or the server has not delivered in time.
 */
async function readOnce(
  { manager, jetstream, connection }: Bus,
  { stream, durable, filter }: ConsumerDeclaration,
  start: Partial<ConsumerConfig>,
  max: number,
): Promise<readonly JsMsg[]> {
  const name = readerName(durable);
  const config = {
    ...start,
    name,
    filter_subject: filter,
    ack_policy: AckPolicy.None,
    inactive_threshold: INACTIVE_AFTER,
  };
  // Left behind by a process that ended.
  await manager.consumers.delete(stream.name, name).catch(() => undefined);
  const { num_pending: pending, created } = await manager.consumers.add(stream.name, config);
  try {
    if (pending === 0) return [];
    const consumer = await jetstream.consumers.get(stream.name, name);
    const bytesMax = bytesMaxOfFetch(connection.info?.max_payload ?? READ_BYTES_MAX);
    const limits = { messagesMax: Math.min(max, pending), bytesMax, expiresMs: READ_EXPIRES_MS };
    const messages: JsMsg[] = [];
    for await (const message of fetchMessages(consumer, limits)) messages.push(message);
    const isSame = (await manager.consumers.info(stream.name, name)).created === created;
    if (!isSame || messages.length === 0 || !messages.every(({ info }, n) => info.deliverySequence === n + 1)) {
      throw new Error(`${name} has read ${messages.length} of ${pending} events, not the first ones`);
    }
    return messages;
  } finally {
    await manager.consumers.delete(stream.name, name).catch(() => undefined);
  }
}
