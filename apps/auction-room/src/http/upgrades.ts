import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

const SOCKET_PATH = /^\/api\/auctions\/[^/?]+\/ws(?:\?|$)/;

/**
 * Upgrades to a WebSocket of an auction; all other requests are served as if they asked for none. With a listener for upgrades
 * Node takes every such request out of HTTP, and Java's client asks for HTTP/2 with each first request.
 */
export function webSocketUpgrades(server: Server): Server {
  const upgrades = new EventEmitter();
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const { method, url = '', headers } = request;
    if (method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && SOCKET_PATH.test(url)) {
      upgrades.emit('upgrade', request, socket, head);
      return;
    }
    socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
    server.emit('connection', socket);
  });
  // Safe cast: the library listens to upgrades of a server and uses nothing else of it.
  return upgrades as Server;
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!/^(?:upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  // Node reads the head as Latin-1.
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
