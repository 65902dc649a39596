import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Whether this process has more to do than it can. */
export interface Pressure {
  /** Asked for every request: a look at a variable. */
  isHigh(): boolean;
  /** Event loop lag of the last sample in milliseconds. */
  lagMs(): number;
  stop(): void;
}

const SAMPLE_MS = 250;
const NANOSECONDS_PER_MS = 1e6;
const RESOLUTION_MS = 10;

/**
 * Watches the event loop: when a turn takes longer than `lagMsMax`, requests wait longer for their turn than clients wait
 * for answers, and turning some away keeps the rest alive.
 */
export function watchPressure(lagMsMax: number): Pressure {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let [lag, previousSample] = [0, 0];
  const timer = setInterval(() => {
    // A timer of 10 ms that fires on time measures 10 ms: what exceeds it is lag.
    const sample = Math.max(0, histogram.percentile(50) / NANOSECONDS_PER_MS - RESOLUTION_MS);
    // Two samples in a row: one long turn, such as loading the program, is over when it is noticed.
    lag = Math.min(sample, previousSample);
    previousSample = sample;
    histogram.reset();
  }, SAMPLE_MS);
  timer.unref();
  return {
    isHigh: () => lag > lagMsMax,
    lagMs: () => lag,
    stop: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
