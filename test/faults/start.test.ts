import { freePorts, portsInUse, type Ports } from '@procurement/local-stack/ports';
import { startStack } from '@procurement/local-stack/stack';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';

async function expectNothingRuns(ports: Ports): Promise<void> {
  expect(await portsInUse(ports)).toEqual([]);
}

describe('a failed start leaves no process', () => {
  it('when it is aborted', async () => {
    const ports = await freePorts();
    const stopping = new AbortController();
    const progress = (line: string): void => {
      if (line.startsWith('postgres')) stopping.abort();
    };
    await expect(startStack({ ports, progress, durable: false, signal: stopping.signal })).rejects.toThrow(
      'This operation was aborted',
    );
    await expectNothingRuns(ports);
  });

  it('when a service cannot start, and names the service and its error', async () => {
    const ports = await freePorts();
    const start = startStack({ ports, durable: false, env: { LOG_LEVEL: 'nonsense' } });
    await expect(start).rejects.toThrow(/did not start: LOG_LEVEL/);
    await expectNothingRuns(ports);
  });

  it.each(['gateway', 'postgres', 'nats'] as const)('when the port of %s is taken, and names it', async (name) => {
    const ports = await freePorts();
    const stranger = createServer();
    await new Promise<void>((resolve) => stranger.listen(ports[name], '127.0.0.1', resolve));
    await expect(startStack({ ports, durable: false })).rejects.toThrow(`Port ${ports[name]} (${name}) is in use`);
    await new Promise((resolve) => stranger.close(resolve));
    await expectNothingRuns(ports);
  });
});
