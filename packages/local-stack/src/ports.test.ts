import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePorts, portFamily, portsInUse } from './ports.ts';

describe('portFamily', () => {
  it('derives different ports from the port of the gateway', () => {
    const ports = Object.values(portFamily(9_000));
    expect(new Set(ports).size).toBe(ports.length);
    expect(Math.min(...ports)).toBe(9_000);
  });
});

describe('freePorts', () => {
  it('gives no port twice, and none that outgoing connections may take', async () => {
    const families = [await freePorts(), await freePorts(), await freePorts()];
    const ports = families.flatMap((family) => Object.values(family));
    expect(new Set(ports).size).toBe(ports.length);
    expect(Math.max(...ports)).toBeLessThan(32_768);
    expect(await portsInUse(Object.fromEntries(ports.map((port) => [String(port), port])))).toEqual([]);
  });
});

describe('portsInUse', () => {
  it('lists a port while a program listens on it', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await portsInUse({ mine: port })).toEqual([['mine', port]]);
    await new Promise((resolve) => server.close(resolve));
    expect(await portsInUse({ mine: port })).toEqual([]);
  });
});
