import { z } from 'zod';
import type { Logger } from '../../runtime/log.ts';
import { startLoop } from '../../runtime/loop.ts';
import type { ReadDetails } from '../../runtime/ready-detail.ts';
import type { Bus } from '../bus.ts';
import { sendRequest } from '../request/request.ts';

/** Asks the owners of what a service copies whether they still have what they told. */
export interface OwnerWatch {
  /** The owners that do not. */
  readonly details: ReadDetails;
  stop(): Promise<void>;
}

export interface OwnerWatchDeps {
  readonly bus: Bus;
  readonly log: Logger;
  readonly everyMs: number;
}

const Answer = z.object({ lost: z.string().nullable() });

/**
 * Copies of an owner that was restored alone have what it lacks, and a rebuild would not tell: it lowers no version. The owner finds out by
 * itself (`publish/told-events.ts`); its followers ask it, so that their operators hear of it too. `subjects`: of the questions.
 */
export function startOwnerWatch(subjects: readonly string[], { bus, log, everyMs }: OwnerWatchDeps): OwnerWatch {
  const lost = new Map<string, string>();

  async function ask(subject: string): Promise<void> {
    const response = await sendRequest(bus, subject, {});
    if (response.kind === 'unavailable') return;
    const answer = Answer.parse(response.value);
    if (answer.lost === null) lost.delete(subject);
    else {
      if (!lost.has(subject)) log.error({ subject, lost: answer.lost }, 'an owner lacks what it told');
      lost.set(subject, answer.lost);
    }
  }

  const { stop } = startLoop(async () => void (await Promise.all(subjects.map(ask))), {
    firstMs: everyMs,
    pauseMs: everyMs,
    log,
    failure: 'owners not asked whether they have what they told',
  });
  return {
    details: async () =>
      [...lost].map(([subject, text]) => ({ kind: 'owner', name: subject.split('.')[1] ?? subject, count: 1, text })),
    stop,
  };
}
