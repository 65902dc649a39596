import { Agent, get } from 'node:http';
import { constants, setPriority } from 'node:os';

/** Requests that one client repeats, so many at once. */
export interface Flood {
  readonly urls: readonly string[];
  readonly atOnce: number;
}

// This client would run on a machine of its own: here it gets the processor time that others leave. The honest clients use 127.0.0.1.
const ADDRESS = '127.0.0.2';
setPriority(constants.priority.PRIORITY_LOW);

let round = 0;
let answers = 0;
let agent = new Agent();

process.once('disconnect', () => process.exit());
process.on('message', (message: Flood | 'stop') => {
  round += 1;
  agent.destroy();
  if (message === 'stop') {
    process.send?.(answers);
    return;
  }
  answers = 0;
  agent = new Agent({ keepAlive: true, localAddress: ADDRESS });
  for (let n = 0; n < message.atOnce; n += 1) repeat(message.urls, n, round);
  process.send?.('started');
});

/** Sends the next request when the answer to the one before has come, whatever it is. */
function repeat(urls: readonly string[], n: number, ofRound: number): void {
  if (ofRound !== round) return;
  const again = (): void => repeat(urls, n + 1, ofRound);
  get(urls[n % urls.length] ?? '', { agent }, (response) => {
    if (response.statusCode === 200) answers += 1;
    response.resume().once('end', again);
    response.once('error', () => undefined);
  }).once('error', () => void setTimeout(again, 100));
}
