import { connect } from 'node:net';
import type { Rate } from './load.ts';

export interface PostLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Used in turn. */
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

/**
 * On each connection, POSTs again as soon as the last request was answered. Uses bare sockets: the load shares the processors with
 * the services, and autocannon needs twice as much processor time. Throws on any status but 201.
 */
export async function postLoad({ url, headers, body, paths, connections, seconds }: PostLoad): Promise<Rate> {
  const { hostname, port } = new URL(url);
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  });
  const requests = paths.map(
    (path) => `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
  const durationsMs: number[] = [];
  const beganAt = performance.now();
  const end = beganAt + seconds * 1_000;
  let sent = 0;
  const runConnection = async (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      let received = '';
      let sentAt = 0;
      const sendNext = (): void => {
        sentAt = performance.now();
        if (sentAt >= end) {
          socket.destroy();
          resolve();
          return;
        }
        // The remainder is an index of the list.
        socket.write(requests[sent % requests.length] as string);
        sent += 1;
      };
      socket.setEncoding('latin1');
      socket.on('connect', sendNext);
      socket.on('error', reject);
      socket.on('end', () => reject(new Error('the server closed a connection')));
      socket.on('data', (text: string) => {
        received += text;
        if (!isComplete(received)) return;
        if (!received.startsWith('HTTP/1.1 201 ')) {
          socket.destroy();
          reject(new Error(`not accepted: ${received}`));
          return;
        }
        durationsMs.push(performance.now() - sentAt);
        received = '';
        sendNext();
      });
    });
  await Promise.all(Array.from({ length: connections }, runConnection));
  const perSecond = (durationsMs.length / (performance.now() - beganAt)) * 1_000;
  durationsMs.sort((a, b) => a - b);
  return { perSecond, p50Ms: percentile(durationsMs, 0.5), p99Ms: percentile(durationsMs, 0.99) };
}

/** Whether the answer is complete. `text` is Latin-1, one character for each byte; answers to a POST have a content-length. */
function isComplete(text: string): boolean {
  const headersEnd = text.indexOf('\r\n\r\n');
  if (headersEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, headersEnd + 2))?.[1];
  if (length === undefined) throw new Error('an answer without content-length');
  return text.length >= headersEnd + 4 + Number(length);
}

function percentile(sorted: readonly number[], fraction: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
}
