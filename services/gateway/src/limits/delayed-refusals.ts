import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/**
 * Random delay of a refusal. Without it a hundred connections that were refused at the same time would all send again at once, and stop
 * the event loop for 50 ms. A client that sends the next request after each answer sends three a second on each connection.
 */
const DELAY_MS_MIN = 250;
const DELAY_MS_MAX = 500;
/** Refusals that are delayed at the same time, about 10 KB each. Beyond them answers are sent at once. */
const DELAYED_MAX = 2_000;

/** Calls the second argument later, or never if the client has gone. */
export type DelayRefusal = (response: ServerResponse, answer: () => void) => void;

/**
 * Delays answers to clients that are above their rate. An answer 429 costs nearly as much as a read, so clients that ignore it would
 * keep the event loop busy with refusals (decision 0066).
 */
export function makeRefusalDelay(delayedMax = DELAYED_MAX): DelayRefusal {
  let delayed = 0;
  return (response, answer) => {
    if (delayed >= delayedMax) {
      answer();
      return;
    }
    delayed += 1;
    const timer = setTimeout(
      () => {
        response.off('close', cancel);
        delayed -= 1;
        answer();
      },
      randomInt(DELAY_MS_MIN, DELAY_MS_MAX),
    );
    const cancel = (): void => {
      clearTimeout(timer);
      delayed -= 1;
    };
    response.once('close', cancel);
  };
}
