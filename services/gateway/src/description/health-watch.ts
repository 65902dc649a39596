import { readAtMostEvery } from '@procurement/kit/runtime/read-at-most-every';

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
  /** A state that was read, or whose reading began, at most a second ago. Takes at most as long as the sources and never rejects. */
  state(): Promise<HealthState>;
}

const AGE_MS_MAX = 1_000;

/**
 * Looks at database, bus and services when somebody asks, at most once a second: however many ask share one look (rulings R36). A look costs a
 * statement and a request to each service, so an idle system makes none.
 */
export function watchHealth({ checks, upstreams, nowMs }: HealthSources): HealthWatch {
  const state = readAtMostEvery(
    AGE_MS_MAX,
    async () => {
      const [own, services] = await Promise.all([checks(), upstreams()]);
      return { checks: own, upstreams: services };
    },
    nowMs,
  );
  return { state };
}
