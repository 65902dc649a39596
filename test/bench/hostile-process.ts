import { connect, type Socket } from 'node:net';
import { constants, setPriority } from 'node:os';

// A process of its own: the honest clients must not wait for it. The first message is the target, the others open and close all connections.
const OF_EACH_KIND = 25;
/** Each has its own limits at the gateway. The honest clients use 127.0.0.1. */
const ADDRESSES = 2;
const TRICKLE_MS = 500;

interface Target {
  readonly url: string;
  readonly tenderId: string;
}

interface Kind {
  /** What a client sends, and again after each answer. */
  readonly bytes: Buffer;
  readonly manner?: 'trickle' | 'read nothing';
}

// The machines of attackers are not the installation's: here they share its processors, so that they come last.
setPriority(constants.priority.PRIORITY_LOW);

let kinds: readonly Kind[] = [];
let gateway = new URL('http://127.0.0.1');
const sockets = new Set<Socket>();
let isOpen = false;

process.once('disconnect', () => process.exit());
process.on(
  'message',
  (message: Target | 'open' | 'close') => void obey(message).then((count) => process.send?.(count)),
);

/** Answers the number of connections. */
async function obey(message: Target | 'open' | 'close'): Promise<number> {
  if (typeof message === 'object') {
    gateway = new URL(message.url);
    kinds = kindsAgainst(message.tenderId);
    return 0;
  }
  isOpen = message === 'open';
  for (const socket of sockets) socket.destroy();
  if (!isOpen) return 0;
  const clients = kinds.flatMap((kind) => Array.from({ length: OF_EACH_KIND }, () => kind));
  await Promise.all(clients.map(async (kind, n) => opened(kind, `127.0.0.${2 + (n % ADDRESSES)}`)));
  return clients.length;
}

function kindsAgainst(tenderId: string): readonly Kind[] {
  const json = (head: string, body: string, length = body.length): Buffer =>
    request(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${length}`, body);
  const members = (name: (n: number) => string, count: number): string =>
    Array.from({ length: count }, (_, n) => `"${name(n)}":0`).join(',');
  const form = 'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000';
  return [
    { bytes: request('GET /api/2.5/openapi.json HTTP/1.1', ''), manner: 'read nothing' },
    {
      bytes: request(
        `POST /api/2.5/tenders/${tenderId}/documents HTTP/1.1\r\n${basic('broker3')}\r\n${form}`,
        '--b\r\n',
      ),
      manner: 'trickle',
    },
    {
      bytes: json(`POST /api/2.5/tenders HTTP/1.1\r\n${basic('broker3')}`, '{"data":{"title":"', 1_000_000),
      manner: 'trickle',
    },
    { bytes: json('POST /api/2.5/tenders HTTP/1.1', `{"data":{},${members(() => 'access', 20_000)}}`) },
    {
      bytes: json(`PATCH /api/0.1/tenders/${tenderId} HTTP/1.1`, `{"data":{${members((n) => `unknown${n}`, 25_000)}}}`),
    },
    { bytes: request(`GET /%61pi/2.5/tenders/${tenderId} HTTP/1.1`, '') },
    { bytes: request(`GET /api/2.5/tenders/${tenderId} HTTP/1.1\r\n${basic('nobody')}`, '') },
    { bytes: request('GET /health HTTP/1.1', '') },
  ];
}

function request(head: string, body: string): Buffer {
  return Buffer.from(`${head}\r\nHost: x\r\n\r\n${body}`);
}

function basic(key: string): string {
  return `Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`;
}

async function opened(kind: Kind, localAddress: string): Promise<void> {
  return new Promise((resolve) => keepOpen(kind, localAddress, resolve));
}

/** Opens a connection, and another one when it is closed. */
function keepOpen(kind: Kind, localAddress: string, onOpen?: () => void): void {
  const socket = connect({ host: gateway.hostname, port: Number(gateway.port), localAddress });
  sockets.add(socket);
  let trickle: NodeJS.Timeout | undefined;
  socket.on('error', () => undefined);
  socket.once('connect', () => {
    onOpen?.();
    socket.write(kind.bytes);
    if (kind.manner === 'trickle') trickle = setInterval(() => socket.write('x'), TRICKLE_MS);
  });
  if (kind.manner === 'read nothing') socket.pause();
  else {
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (kind.manner === undefined && text.startsWith('HTTP/1.1 ')) socket.write(kind.bytes);
    });
  }
  socket.once('close', () => {
    clearInterval(trickle);
    sockets.delete(socket);
    if (isOpen) keepOpen(kind, localAddress);
  });
}
