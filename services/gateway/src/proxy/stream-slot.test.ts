import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { closeServer } from '@procurement/kit/runtime/process';
import { afterEach, expect, it } from 'vitest';
import { runningGateway } from '../../test-support/running-gateway.ts';

let stop: (() => void) | undefined;
afterEach(() => stop?.());

/** A register whose streams say hello; `send` writes to the newest of them. */
async function fakeRegister(): Promise<{ readonly url: string; send(text: string): void; kill(): void }> {
  let newest: ServerResponse | undefined;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=UTF-8' });
    response.write('event: hello\n\n');
    newest = response;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  // Safe cast: it listens on a port.
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    send: (text) => newest?.write(text),
    kill: () => newest?.destroy(),
  };
}

it('leaves a stream open that is silent for longer than a client may be', async () => {
  const register = await fakeRegister();
  const gateway = await runningGateway({ REGISTER_URL: register.url, CLIENT_IDLE_MS: '1500' });
  const reader = (await fetch(`${gateway.url}/api/2.5/stream`)).body?.getReader();
  await reader?.read();
  // A client that comes later, and is silent, is disconnected.
  const silent = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  await once(silent.on('error', () => undefined).resume(), 'close');
  register.send(':\n\n');
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(':\n\n');
  await reader?.cancel();
  await gateway.close();
});

it('ends open streams when the gateway closes, long before its time for running requests is over', async () => {
  const register = await fakeRegister();
  const gateway = await runningGateway({ REGISTER_URL: register.url });
  const stream = await fetch(`${gateway.url}/api/2.5/stream`);
  const reader = stream.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('event: hello\n\n');
  expect(gateway.deps.openStreams.size).toBe(1);
  const [closed] = await Promise.allSettled([
    closeServer(gateway.app, { lingerMs: 0, graceMs: 60_000 }),
    reader?.read(),
  ]);
  expect(closed.status).toBe('fulfilled');
  expect(gateway.deps.openStreams.size).toBe(0);
  await gateway.close();
});

it('ends a stream whose register is killed, so that its reader comes back', async () => {
  const register = await fakeRegister();
  const gateway = await runningGateway({ REGISTER_URL: register.url });
  const reader = (await fetch(`${gateway.url}/api/2.5/stream`)).body?.getReader();
  await reader?.read();
  register.kill();
  await expect(reader?.read()).rejects.toThrow('terminated');
  await expect.poll(() => gateway.deps.openStreams.size).toBe(0);
  await gateway.close();
});
