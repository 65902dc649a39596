import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Writing them takes less than a millisecond. */
const PIECE_BYTES = 256 * 1024;

/** Whether the event loop would write an answer for so long that other requests should come in between. */
export function isLongAnswer(bytes: Buffer): boolean {
  return bytes.length > 2 * PIECE_BYTES;
}

/** A long answer as a stream: between two pieces the event loop does what else waits. */
export function inPieces(bytes: Buffer): Readable {
  return Readable.from(splitIntoPieces(bytes));
}

async function* splitIntoPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    // Before the first one too: the text was read and written in this turn.
    await nextTurn();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}
