import { FreezeRequest } from '@procurement/contracts/events/freezes';
import type { Bus } from '@procurement/kit/messaging/bus';
import { respondTo } from '@procurement/kit/messaging/request/request';
import type { Logger } from '@procurement/kit/runtime/log';

/** The test in the place of services that freeze their decisions (decision 0060). */
export interface FreezeDeciders {
  /** Subjects of services that fail to respond. */
  readonly silent: Set<string>;
  /** Version of the state that a service reports when it freezes, by subject; 0 when absent. */
  readonly versions: Map<string, number>;
  /** `freeze` and `lift` requests so far about an object, with their subject, in order. */
  requests(id: string): readonly string[];
}

export function playDeciders(bus: Bus, log: Logger, subjects: readonly string[]): FreezeDeciders {
  const silent = new Set<string>();
  const versions = new Map<string, number>();
  const received: { readonly id: string; readonly text: string }[] = [];
  for (const subject of subjects) {
    respondTo(bus, subject, log, async (request) => {
      const { act, id } = FreezeRequest.parse(request);
      if (silent.has(subject)) throw new Error('unavailable');
      received.push({ id, text: `${act} ${subject}` });
      return act === 'lift' ? {} : { frozen: true, version: versions.get(subject) ?? 0 };
    });
  }
  return { silent, versions, requests: (id) => received.filter((one) => one.id === id).map(({ text }) => text) };
}
