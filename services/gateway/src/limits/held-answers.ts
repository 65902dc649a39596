import { randomInt } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/**
 * How long an answer is held, at least and at most: at random between them, or a hundred connections that were refused at the same
 * time would all send again at the same time, and stop the event loop for 50 ms. A client that sends the next request after each
 * answer sends three a second then, on each connection.
 */
const HOLD_MS_MIN = 250;
const HOLD_MS_MAX = 500;
/** Answers that are held at the same time, about 10 KB each. Beyond them answers are sent at once. */
const HELD_MAX = 2_000;

/** Calls the second argument later, or never if the client has gone. */
export type HoldAnswer = (response: ServerResponse, answer: () => void) => void;

/**
 * Holds answers to clients that are above their rate. An answer 429 costs nearly as much as a read, so clients that ignore it would
 * keep the event loop busy with refusals (decision 0066).
 */
export function makeHold(heldMax = HELD_MAX): HoldAnswer {
  let held = 0;
  return (response, answer) => {
    if (held >= heldMax) {
      answer();
      return;
    }
    held += 1;
    const timer = setTimeout(
      () => {
        response.off('close', cancel);
        held -= 1;
        answer();
      },
      randomInt(HOLD_MS_MIN, HOLD_MS_MAX),
    );
    const cancel = (): void => {
      clearTimeout(timer);
      held -= 1;
    };
    response.once('close', cancel);
  };
}
