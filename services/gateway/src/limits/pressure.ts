import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Overload of this process. */
export interface Pressure {
  /** Called for every request: reads a variable. */
  isHigh(): boolean;
  /** Event loop lag by which overload is judged. */
  lagMs(): number;
  stop(): void;
}

const SAMPLE_MS = 250;
const NANOSECONDS_PER_MS = 1e6;
/** A shorter one wakes an idle process up more often than anything else that it does. */
const RESOLUTION_MS = 50;

/**
 * Watches the event loop. Above `lagMsMax` requests wait longer than clients wait for responses; refusing some keeps the rest
 * working.
 */
export function watchPressure(lagMsMax: number): Pressure {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let [lag, previousSample] = [0, 0];
  const timer = setInterval(() => {
    // The histogram includes the interval of its own timer.
    const sample = Math.max(0, histogram.percentile(50) / NANOSECONDS_PER_MS - RESOLUTION_MS);
    // Two samples in a row: a single long turn, such as loading the program, has ended when it is measured.
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
