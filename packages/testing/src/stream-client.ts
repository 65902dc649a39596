import { request, type IncomingMessage } from 'node:http';

/** What a reader of a stream has received. */
export interface StreamClient {
  /** Frames, without the empty line at their end. */
  readonly frames: readonly string[];
  /** Positions of notices, in the order in which they came. */
  readonly positions: readonly string[];
  /** The last event id, as a browser keeps it. */
  readonly lastEventId: string | undefined;
  readonly ended: boolean;
  readonly response: IncomingMessage;
  close(): void;
}

/** Opens a stream over HTTP. Throws when it is refused. */
export async function openClient(url: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamClient> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, agent: false }, resolve).once('error', reject).end();
  });
  if (response.statusCode !== 200) throw new Error(`stream refused with ${response.statusCode}`);
  const frames: string[] = [];
  const positions: string[] = [];
  const parseId = (frame: string): string | undefined => /^id: (.*)$/m.exec(frame)?.[1];
  let rest = '';
  let ended = false;
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    frames.push(...parts);
    for (const frame of parts) if (frame.startsWith('id: ')) positions.push(parseId(frame) ?? '');
  });
  for (const event of ['end', 'error', 'close']) response.on(event, () => (ended = true));
  return {
    frames,
    positions,
    get lastEventId() {
      return frames.map(parseId).findLast((id) => id !== undefined);
    },
    get ended() {
      return ended;
    },
    response,
    close: () => void response.destroy(),
  };
}
