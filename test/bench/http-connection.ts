import { connect, type Socket } from 'node:net';

/** One connection that is kept open. */
export interface HttpConnection {
  /** Sends a request as it is, and answers the whole response, one character for each byte. One at a time. */
  exchange(request: string): Promise<string>;
  close(): void;
}

/**
 * Uses a bare socket: the load shares the processors with what it measures, and autocannon needs twice as much processor time,
 * fetch more.
 */
export async function openConnection({ hostname, port }: URL): Promise<HttpConnection> {
  const socket = await connected(hostname, Number(port));
  let received = '';
  let waiting: { resolve(response: string): void; reject(error: Error): void } | undefined;
  const fail = (error: Error): void => waiting?.reject(error);
  socket.on('error', fail);
  socket.on('end', () => fail(new Error('the server closed a connection')));
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    if (!isComplete(received)) return;
    const response = received;
    received = '';
    waiting?.resolve(response);
  });
  return {
    exchange: async (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** A request with a body, and the headers that it needs. */
export function postText(url: URL, headers: Readonly<Record<string, string>>, body: string): string {
  return requestText('POST', url, headers, body);
}

export function requestText(
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): string {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: url.host, ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`;
}

export function parseStatus(response: string): number {
  return Number(response.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
}

async function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

/** Whether the answer is complete. `text` is Latin-1, one character for each byte; answers of the services have a content-length. */
function isComplete(text: string): boolean {
  const headersEnd = text.indexOf('\r\n\r\n');
  if (headersEnd < 0) return false;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, headersEnd + 2))?.[1];
  if (length === undefined) throw new Error('an answer without content-length');
  return text.length >= headersEnd + 4 + Number(length);
}
