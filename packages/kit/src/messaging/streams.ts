import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { isApiError, type Bus } from './bus.ts';

export interface StreamDeclaration {
  readonly name: string;
  readonly subjects: readonly string[];
}

/** What a stream keeps. Beyond it the server discards the oldest events (docs/decisions/0057-size-of-events-and-streams.md). */
export interface StreamLimits {
  readonly ageMaxMs: number;
  readonly bytesMax: number;
}

const DAY_MS = 24 * 3_600_000;

/** The limits by the settings of a service. */
export function streamLimitsOf(config: {
  readonly STREAM_DAYS_MAX: number;
  readonly STREAM_BYTES_MAX: number;
}): StreamLimits {
  return { ageMaxMs: config.STREAM_DAYS_MAX * DAY_MS, bytesMax: config.STREAM_BYTES_MAX };
}

export const DEFAULT_STREAM_LIMITS: StreamLimits = { ageMaxMs: 30 * DAY_MS, bytesMax: 4 * 1024 ** 3 };

/**
 * Creates the stream, or updates it to its declaration. Uses settings of nats-server 2.9 only. False: the server, which reserves
 * the bytes of every stream, has fewer; then the stream is limited by its age, and by the storage of the server.
 */
export async function ensureStream(
  bus: Bus,
  { name, subjects }: StreamDeclaration,
  replicas: number,
  { ageMaxMs, bytesMax }: StreamLimits = DEFAULT_STREAM_LIMITS,
): Promise<boolean> {
  const config: StreamSettings = {
    name,
    subjects: [...subjects],
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    num_replicas: replicas,
    discard: DiscardPolicy.Old,
    // Nanoseconds.
    max_age: ageMaxMs * 1_000_000,
    max_bytes: bytesMax,
    // Nanoseconds. Longer than the time between a publish and its repetition by another relay.
    duplicate_window: 120_000_000_000,
  };
  try {
    await addOrUpdate(bus, config);
    return true;
  } catch (error) {
    if (!isApiError(error, INSUFFICIENT_STORAGE)) throw error;
    await addOrUpdate(bus, { ...config, max_bytes: -1 });
    return false;
  }
}

type StreamSettings = Partial<StreamConfig> & { readonly name: string };

async function addOrUpdate(bus: Bus, config: StreamSettings): Promise<void> {
  try {
    await bus.manager.streams.add(config);
  } catch (error) {
    if (!isApiError(error, STREAM_NAME_IN_USE)) throw error;
    await bus.manager.streams.update(config.name, config);
  }
}

/** Creates the stream when the server has lost it. Leaves an existing one as it is. */
export async function restoreStream(
  bus: Bus,
  stream: StreamDeclaration,
  replicas: number,
  limits?: StreamLimits,
): Promise<void> {
  try {
    await bus.manager.streams.info(stream.name);
  } catch (error) {
    if (!isApiError(error, STREAM_NOT_FOUND)) throw error;
    await ensureStream(bus, stream, replicas, limits);
  }
}

export const STREAM_NOT_FOUND = 10_059;
const STREAM_NAME_IN_USE = 10_058;
const INSUFFICIENT_STORAGE = 10_047;
