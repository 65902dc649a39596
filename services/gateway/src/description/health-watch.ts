/** State of the gateway's own database and bus. */
export interface HealthChecks {
  readonly database: 'ok' | 'fail';
  readonly stream: 'ok' | 'fail';
  /** Why the bus is not connected. */
  readonly busFault?: { readonly text: string; readonly seconds: number };
  readonly outbox?: { readonly waiting: number; readonly oldestSeconds: number };
}

/** What the gateway knows of itself and of its services. */
export interface HealthState {
  readonly checks: HealthChecks;
  readonly upstreams: Readonly<Record<string, 'up' | 'down'>>;
}

export interface HealthSources {
  /** Both take at most a second and never reject. */
  checks(): Promise<HealthChecks>;
  upstreams(): Promise<HealthState['upstreams']>;
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
}

export interface HealthWatch {
  /** The last state; failed before the first one, and when it is too old. Reads a variable. */
  state(): HealthState;
  refresh(): Promise<void>;
  /** Refreshes every second. */
  start(): { stop(): void };
}

const REFRESH_EVERY_MS = 1_000;
/** A state that was not refreshed for so long says nothing: the process is stuck. */
const AGE_MS_MAX = 10_000;
const UNKNOWN: HealthState = { checks: { database: 'fail', stream: 'fail' }, upstreams: {} };

/** Looks at database, bus and services on a timer: answering who asks costs nothing, however many they are (rulings R36). */
export function watchHealth(sources: HealthSources): HealthWatch {
  let last = { state: UNKNOWN, atMs: -Infinity };
  const refresh = async (): Promise<void> => {
    const [checks, upstreams] = await Promise.all([sources.checks(), sources.upstreams()]);
    last = { state: { checks, upstreams }, atMs: sources.nowMs() };
  };
  return {
    state: () => (sources.nowMs() - last.atMs > AGE_MS_MAX ? UNKNOWN : last.state),
    refresh,
    start: () => {
      let isRefreshing = false;
      const timer = setInterval(() => {
        if (isRefreshing) return;
        isRefreshing = true;
        void refresh().finally(() => (isRefreshing = false));
      }, REFRESH_EVERY_MS);
      return { stop: () => clearInterval(timer) };
    },
  };
}
