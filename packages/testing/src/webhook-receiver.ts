import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that a receiver got. */
export interface ReceivedMessage {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly type: string;
  /** Microseconds; 0 for messages without a change. */
  readonly position: bigint;
  readonly tender: string;
  /** What was answered. */
  status: number;
}

/** What to answer: a status, or a function that answers by itself. */
export type Reply = number | ((response: ServerResponse) => void);

/** A server of a broker that keeps what it got. */
export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  readonly messages: ReceivedMessage[];
  /** Answers to changes; challenges are repeated while `isVerifying`. */
  reply: (message: ReceivedMessage) => Reply;
  isVerifying: boolean;
  /** Positions that were answered 2xx, each once, in the order of their first time. */
  accepted(): readonly bigint[];
  /** Takes no connections from now on. */
  stop(): Promise<void>;
}

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    void readBody(request).then((text) => answer(request, response, text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe cast: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    messages: [],
    reply: () => 200,
    isVerifying: true,
    accepted: () => [
      ...new Set(
        receiver.messages
          .filter(({ status, position }) => status >= 200 && status < 300 && position > 0n)
          .map(({ position }) => position),
      ),
    ],
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function answer({ url, headers }: IncomingMessage, response: ServerResponse, text: string): void {
    const { type, data } = JSON.parse(text);
    const position = BigInt((data.position ?? '0').replace('.', ''));
    const message = {
      path: url ?? '',
      // Safe cast: none of the headers of a message is sent twice.
      headers: headers as Record<string, string>,
      text,
      type,
      position,
      tender: data.id ?? '',
      status: 0,
    };
    receiver.messages.push(message);
    if (type === 'webhook.verify') {
      message.status = receiver.isVerifying ? 200 : 404;
      response.writeHead(message.status).end(JSON.stringify({ challenge: data.challenge }));
      return;
    }
    const reply = receiver.reply(message);
    if (typeof reply === 'function') return reply(response);
    message.status = reply;
    response.writeHead(reply).end('thank you');
  }
  return receiver;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  // Safe cast: without an encoding a request is a stream of buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
