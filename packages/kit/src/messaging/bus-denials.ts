import { errors } from '@nats-io/transport-node';
import { monotonicMs } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';

/** A publish that is still denied is repeated within this time by everything that publishes. */
const DENIED_PUBLISH_MS = 60_000;
/** Denied subjects that are remembered. */
const DENIED_MAX = 100;

/** What the server has refused for lack of permission. */
export interface Denials {
  add(error: Error): void;
  clear(): void;
  list(): readonly string[];
}

/** Logged once for each connection. */
const LATE_REPLY = 'late reply';

/** The requester waits no longer than the server allows the reply (`RESPONSE_MS_MAX`), so that nobody lacks it: no fault. */
function isLateReply({ operation, subject }: InstanceType<typeof errors.PermissionViolationError>): boolean {
  return operation === 'publish' && subject.startsWith('_INBOX.');
}

/** Remembers what the server denied, and logs each subject once per connection: consumers repeat their requests for ever. */
export function makeDenials(log: Logger): Denials {
  const deniedAt = new Map<string, number>();
  const logged = new Set<string>();
  return {
    add(error) {
      if (!(error instanceof errors.PermissionViolationError)) return;
      if (isLateReply(error)) {
        if (!logged.has(LATE_REPLY)) log.warn({ subject: error.subject }, 'replied after the time for replies');
        logged.add(LATE_REPLY);
        return;
      }
      const what = `${error.operation} ${error.subject}`;
      // Bounded: subjects contain ids.
      if (deniedAt.size >= DENIED_MAX) deniedAt.delete(deniedAt.keys().next().value ?? '');
      deniedAt.set(what, error.operation === 'publish' ? monotonicMs() : Infinity);
      if (logged.has(what) || logged.size >= DENIED_MAX) return;
      logged.add(what);
      log.error({ operation: error.operation, subject: error.subject }, 'bus permission denied');
    },
    clear() {
      deniedAt.clear();
      logged.clear();
    },
    list() {
      const since = monotonicMs() - DENIED_PUBLISH_MS;
      return [...deniedAt].filter(([, at]) => at > since).map(([what]) => what);
    },
  };
}
