import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findNatsServer } from './nats-binary.ts';

const folder = mkdtempSync(join(tmpdir(), 'procurement-nats-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('findNatsServer', () => {
  const program = join(folder, 'bin', 'nats-server');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(program, '#!/bin/sh\n');
  chmodSync(program, 0o755);
  const find = async (env: Record<string, string>) =>
    findNatsServer({ env, cacheDir: folder, progress: () => undefined });

  it('takes the one of NATS_SERVER_BIN before that of PATH', async () => {
    expect(await find({ NATS_SERVER_BIN: program, PATH: '/nowhere' })).toMatchObject({
      command: program,
      origin: 'NATS_SERVER_BIN',
    });
    expect(await find({ PATH: `/nowhere:${join(folder, 'bin')}` })).toMatchObject({
      command: program,
      origin: 'this system',
    });
  });

  it('throws if NATS_SERVER_BIN is no executable file', async () => {
    await expect(find({ NATS_SERVER_BIN: join(folder, 'none') })).rejects.toThrow('which is not an executable file');
  });
});
