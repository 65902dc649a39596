import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';

/** A front end of another component. */
export interface SocketClient {
  readonly socket: WebSocket;
  /** What came, without the texts that keep the socket open. */
  readonly texts: readonly string[];
  isClosed(): boolean;
}

/** Opens a socket. Throws when it is refused. */
export async function openSocket(url: string): Promise<SocketClient> {
  const socket = new WebSocket(url);
  const texts: string[] = [];
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    if (text !== 'PING') texts.push(text);
  });
  await once(socket, 'open');
  socket.on('error', () => undefined);
  return { socket, texts, isClosed: () => socket.readyState === WebSocket.CLOSED };
}

/** Status of the refusal of a socket. */
export async function refusedSocket(url: string): Promise<number | undefined> {
  const socket = new WebSocket(url);
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
  response.destroy();
  return response.statusCode;
}
