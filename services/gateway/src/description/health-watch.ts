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
  /**
   * The last state; failed before the first one, and when it is too old. Reads a variable. After `start` it begins a refresh when
   * the state is a second old, for those who ask next.
   */
  state(): HealthState;
  refresh(): Promise<void>;
  /** Refreshes every five seconds, and every second while somebody asks. */
  start(): { stop(): void };
}

const REFRESH_EVERY_MS = 1_000;
/** While nobody asks: a look costs a statement and a request to each service. */
const IDLE_REFRESH_EVERY_MS = 5_000;
/** A state that was not refreshed for so long says nothing: the process is stuck. */
const AGE_MS_MAX = 10_000;
const UNKNOWN: HealthState = { checks: { database: 'fail', stream: 'fail' }, upstreams: {} };

/**
 * Looks at database, bus and services on a timer, more often while somebody asks: answering costs nothing, however many ask (rulings
 * R36).
 */
export function watchHealth(sources: HealthSources): HealthWatch {
  let last = { state: UNKNOWN, atMs: -Infinity };
  const refresh = async (): Promise<void> => {
    const [checks, upstreams] = await Promise.all([sources.checks(), sources.upstreams()]);
    last = { state: { checks, upstreams }, atMs: sources.nowMs() };
  };
  let isStarted = false;
  let isRefreshing = false;
  const refreshAlone = (): void => {
    if (isRefreshing) return;
    isRefreshing = true;
    void refresh().finally(() => (isRefreshing = false));
  };
  return {
    state: () => {
      const ageMs = sources.nowMs() - last.atMs;
      if (isStarted && ageMs >= REFRESH_EVERY_MS) refreshAlone();
      return ageMs > AGE_MS_MAX ? UNKNOWN : last.state;
    },
    refresh,
    start: () => {
      isStarted = true;
      const timer = setInterval(refreshAlone, IDLE_REFRESH_EVERY_MS);
      return {
        stop: () => {
          isStarted = false;
          clearInterval(timer);
        },
      };
    },
  };
}
