import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lastLoggedError } from './child.ts';
import { serviceEnvironment } from './environment.ts';
import { startupMessage } from './startup-message.ts';
import { findNatsServer } from './nats-binary.ts';
import { portFamily, portsInUse } from './ports.ts';
import { loadOrCreateSecrets } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'procurement-unit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('ports', () => {
  it('move as a family, and never meet', () => {
    const ports = Object.values(portFamily(9_000));
    expect(new Set(ports).size).toBe(ports.length);
    expect(Math.min(...ports)).toBe(9_000);
  });

  it('are told when somebody listens there already', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await portsInUse({ mine: port })).toEqual([['mine', port]]);
    await new Promise((resolve) => server.close(resolve));
    expect(await portsInUse({ mine: port })).toEqual([]);
  });
});

describe('secrets', () => {
  it('are made once, and readable by their owner only', async () => {
    const dir = join(folder, 'secrets');
    const made = await loadOrCreateSecrets(dir);
    expect(await loadOrCreateSecrets(dir)).toEqual(made);
    expect(new Set(Object.values(made)).size).toBe(3);
    expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('that are damaged are not silently replaced', async () => {
    const dir = join(folder, 'damaged');
    mkdirSync(dir);
    writeFileSync(join(dir, 'secrets.json'), '{"identity":');
    await expect(loadOrCreateSecrets(dir)).rejects.toThrow('is damaged');
    expect(readFileSync(join(dir, 'secrets.json'), 'utf8')).toBe('{"identity":');
  });
});

describe('the environment of a service', () => {
  const secrets = { identity: 'i'.repeat(64), feed: 'f'.repeat(64), database: 'd'.repeat(64) };
  const wish = { ports: portFamily(8_080), secrets, filesDir: '/files', host: '0.0.0.0' };

  it('gives each its own database, and only the gateway the open address', () => {
    expect(serviceEnvironment('bids', wish)).toMatchObject({
      HOST: '127.0.0.1',
      PORT: '8082',
      DATABASE_URL: `postgresql://bids:${secrets.database}@127.0.0.1:8091/bids`,
      SANDBOX_MODE: 'on',
    });
    expect(serviceEnvironment('gateway', wish)).toMatchObject({ HOST: '0.0.0.0', BIDS_URL: 'http://127.0.0.1:8082' });
  });

  it('gives secrets to those who need them', () => {
    expect(serviceEnvironment('tenders', wish)).toHaveProperty('FEED_SECRET');
    expect(serviceEnvironment('bids', wish)).not.toHaveProperty('FEED_SECRET');
  });
});

describe('nats-server', () => {
  const program = join(folder, 'bin', 'nats-server');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const find = async (env: Record<string, string>) =>
    findNatsServer({ env, cacheDir: folder, progress: () => undefined });

  it('is the one that NATS_SERVER_BIN names, before that of PATH', async () => {
    expect(await find({ NATS_SERVER_BIN: program, PATH: '/nowhere' })).toMatchObject({
      command: program,
      origin: 'NATS_SERVER_BIN',
    });
    expect(await find({ PATH: `/nowhere:${join(folder, 'bin')}` })).toMatchObject({
      command: program,
      origin: 'this system',
    });
  });

  it('named wrongly is told, rather than replaced by another', async () => {
    await expect(find({ NATS_SERVER_BIN: join(folder, 'none') })).rejects.toThrow('which is not a program');
  });
});

describe('what a person reads', () => {
  it('of a dead child: its last complaint, in one line', () => {
    const log = join(folder, 'child.log');
    writeFileSync(log, '{"level":"info","msg":"serving"}\n');
    expect(lastLoggedError(log)).toBe('');
    writeFileSync(
      log,
      '{"level":"fatal","err":{"message":"no\\nstack"},"msg":"cannot start"}\n{"level":"info","msg":"x"}\n',
    );
    expect(lastLoggedError(log)).toBe('cannot start: no');
  });

  it('at the end of a start: three requests that can be pasted', () => {
    const lines = startupMessage(portFamily(8_080), Date.UTC(2026, 10, 21)).split('\n');
    const requests = lines.filter((line) => line.startsWith('curl '));
    expect(requests).toHaveLength(3);
    const body = /-d '([^']+)'$/.exec(requests[0] ?? '')?.[1] ?? '';
    expect(JSON.parse(body).data.tenderPeriod.endDate).toBe('2026-11-23T00:00:00Z');
  });
});
