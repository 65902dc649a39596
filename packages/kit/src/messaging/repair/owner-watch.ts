import { subjectOf } from '@procurement/contracts/events/envelope';
import { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import { startLoop } from '../../runtime/loop.ts';
import type { Bus } from '../bus.ts';
import { parseEnvelope } from '../parse-envelope.ts';
import { sendRequest } from '../request/request.ts';
import type { Subscription } from '../consume/subscription.ts';

/** Looks whether the owner of copied facts still has what it told. */
export interface OwnerWatch {
  /** What the owner does not have; undefined when it has the newest of what it told. */
  behind(): string | undefined;
  stop(): Promise<void>;
}

export interface OwnerWatchDeps {
  readonly bus: Bus;
  readonly log: Logger;
  readonly everyMs: number;
}

const Versioned = z.object({ id: z.string(), version: z.int() });
type Versioned = z.infer<typeof Versioned>;

/**
 * An owner whose database alone was restored from a backup lacks what followers have from its events, and nobody would notice: a rebuild lowers
 * no version. From time to time the owner is asked for the newest facts in its stream. Once it lacks them, it is asked for the same
 * until it has them: newer events must not hide the loss.
 */
export function startOwnerWatch(subscription: Subscription, { bus, log, everyMs }: OwnerWatchDeps): OwnerWatch {
  const { ownerSubject, durable } = subscription;
  if (ownerSubject === undefined) return { behind: () => undefined, stop: async () => undefined };
  let lacking: Versioned | undefined;

  async function check(subject: string): Promise<void> {
    if (!bus.connected()) return;
    const told = lacking ?? (await newestTold(bus, subscription));
    if (told === undefined) return;
    const response = await sendRequest(bus, subject, { id: told.id });
    if (response.kind === 'unavailable') return;
    const has = Versioned.safeParse(response.value).data?.version ?? 0;
    if (has < told.version && lacking === undefined)
      log.error({ durable, ...told, has }, 'the owner lacks what it told');
    lacking = has < told.version ? told : undefined;
  }

  const { stop } = startLoop(async () => check(ownerSubject), {
    firstMs: everyMs,
    pauseMs: everyMs,
    log,
    failure: 'owner not asked for the newest facts of its stream',
  });
  return {
    behind: () => lacking && `${subscription.stream.name} does not have version ${lacking.version} of ${lacking.id}`,
    stop,
  };
}

/** Undefined without events, and while the newest is large: its data are not in the stream. */
async function newestTold(
  bus: Bus,
  { stream, types = [] }: Pick<Subscription, 'stream' | 'types'>,
): Promise<Versioned | undefined> {
  const subjects = types.map((type) => subjectOf(stream.name, type, '*'));
  const messages = await Promise.all(
    subjects.map(async (subject) => bus.manager.streams.getMessage(stream.name, { last_by_subj: subject })),
  );
  const [newest] = messages.flatMap((message) => message ?? []).toSorted((one, other) => other.seq - one.seq);
  return newest && Versioned.safeParse(parseEnvelope(newest.string())?.data).data;
}
