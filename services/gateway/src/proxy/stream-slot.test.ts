import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from '@procurement/kit/runtime/process';
import { expect, it } from 'vitest';
import { runningGateway } from '../../test-support/running-gateway.ts';

it('ends open streams when the gateway closes, long before its time for running requests is over', async () => {
  const register = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=UTF-8' });
    response.write('event: hello\n\n');
  });
  await new Promise<void>((resolve) => register.listen(0, '127.0.0.1', resolve));
  const gateway = await runningGateway({
    REGISTER_URL: `http://127.0.0.1:${(register.address() as AddressInfo).port}`,
  });
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
  register.closeAllConnections();
  register.close();
});
