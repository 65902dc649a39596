import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Overload of this process. */
export interface Pressure {
  /** Called for every request: reads a variable, and begins to measure after a pause. */
  isHigh(): boolean;
  /** Event loop lag by which overload is judged. */
  lagMs(): number;
  stop(): void;
}

const SAMPLE_MS = 250;
/** So many samples after the last request the measuring ends: it wakes an idle process up 24 times a second. */
const IDLE_AFTER_SAMPLES = 40;
const NANOSECONDS_PER_MS = 1e6;
const RESOLUTION_MS = 50;

/**
 * Watches the event loop while there are requests. Above `lagMsMax` requests wait longer than clients wait for responses; refusing
 * some keeps the rest working.
 */
export function watchPressure(lagMsMax: number): Pressure {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let [lag, previousSample, idleSamples] = [0, 0, 0];
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    clearInterval(timer);
    timer = undefined;
    histogram.disable();
    [lag, previousSample] = [0, 0];
  }

  function sample(): void {
    // The histogram includes the interval of its own timer.
    const lagNow = Math.max(0, histogram.percentile(50) / NANOSECONDS_PER_MS - RESOLUTION_MS);
    // Two samples in a row: a single long turn, such as loading the program, has ended when it is measured.
    lag = Math.min(lagNow, previousSample);
    previousSample = lagNow;
    histogram.reset();
    idleSamples += 1;
    if (idleSamples >= IDLE_AFTER_SAMPLES && lag <= lagMsMax) end();
  }

  return {
    isHigh: () => {
      idleSamples = 0;
      if (timer === undefined) {
        histogram.reset();
        histogram.enable();
        timer = setInterval(sample, SAMPLE_MS).unref();
      }
      return lag > lagMsMax;
    },
    lagMs: () => lag,
    stop: end,
  };
}
