import type { Bus } from '@procurement/kit/messaging/bus';
import type { Clock } from '@procurement/kit/runtime/clock';
import type { Logger } from '@procurement/kit/runtime/log';
import type { Metrics } from '@procurement/kit/runtime/metrics';
import type { Witness } from '../config.ts';
import type { LogFiles } from '../files/log-files.ts';
import type { AppendDeps } from '../store/append.ts';

/** What adds to the log. */
export interface WriterDeps extends AppendDeps {
  readonly files: LogFiles;
  readonly bus: Bus;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly databaseUrl: string;
  readonly witnesses: readonly Witness[];
  readonly intervalMs: number;
  /** Rows of one question; set by tests. */
  readonly rowsMax?: number;
  /** Pause before a halted or refused step is tried again; set by tests. */
  readonly problemMs?: number;
}

/** The writer may go on: its process holds the lock, as far as it can know. Throws `LockLostError` otherwise. */
export type RequireLock = () => Promise<void>;

/** Another process may hold the lock of the writer now. */
export class LockLostError extends Error {
  constructor() {
    super('the lock of the writer was lost');
    this.name = 'LockLostError';
  }
}
