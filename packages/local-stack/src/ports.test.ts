import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
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

  it('gives those of a family, also to callers that ask at once', async () => {
    // Many, of which some begin to search near each other.
    const families = await Promise.all(Array.from({ length: 21 }, freePorts));
    for (const family of families) expect(family).toEqual(portFamily(family.gateway));
    const ports = families.flatMap((family) => Object.values(family));
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('gives no port that another process of these tests may give', async () => {
    const script = `
      import { freePort } from ${JSON.stringify(new URL('ports.ts', import.meta.url).href)};
      const ports = [];
      while (ports.length < 400) ports.push(await freePort());
      console.log(JSON.stringify(ports));
      process.stdin.resume();`;
    // Each of a worker of vitest, which gives all workers of a group the same number.
    const env = { ...process.env, VITEST_POOL_ID: '1' };
    const args = ['--conditions=source', '--import=tsx', '--input-type=module', '--eval', script];
    const processes = [1, 2].map(() => spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] }));
    const printed = processes.map(async ({ stdout }) => {
      // Safe cast: the script prints numbers.
      for await (const line of createInterface(stdout)) return JSON.parse(line) as number[];
      throw new Error('the process ended');
    });
    const [one = [], other = []] = await Promise.all(printed);
    for (const child of processes) child.stdin.end();
    await Promise.all(processes.map(async (child) => once(child, 'exit')));
    expect([one.length, other.length]).toEqual([400, 400]);
    expect(one.filter((port) => other.includes(port))).toEqual([]);
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
