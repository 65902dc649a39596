import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handoverSocket, serveHandover, takeService } from './handover.ts';
import type { ServiceName } from './ports.ts';
import type { ServiceOptions } from './service.ts';

const OPTIONS: ServiceOptions = { name: 'bids', env: { PORT: '8082' }, readyPort: 8_082, logFile: '/logs/bids.log' };

describe('handover of a service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'procurement-handover-'));
  const path = join(folder, 'handover.sock');
  const release = vi.fn<(service: ServiceName) => Promise<ServiceOptions>>(async () => OPTIONS);
  const resume = vi.fn<(service: ServiceName) => Promise<void>>(async () => undefined);
  let server: Awaited<ReturnType<typeof serveHandover>>;

  beforeEach(async () => {
    vi.clearAllMocks();
    server = await serveHandover(path, { release, resume });
  });

  afterEach(() => {
    server.close();
    rmSync(path, { force: true });
  });

  it('stops the process of the supervisor until the other process gives the service back', async () => {
    const taken = await takeService(path, 'bids');
    expect(taken.options).toEqual(OPTIONS);
    expect(release).toHaveBeenCalledExactlyOnceWith('bids');
    expect(resume).not.toHaveBeenCalled();
    taken.giveBack();
    await expect.poll(() => resume.mock.calls).toEqual([['bids']]);
  });

  it('refuses a service that is already taken', async () => {
    const taken = await takeService(path, 'bids');
    await expect(takeService(path, 'bids')).rejects.toThrow('already run');
    taken.giveBack();
  });

  it('tells the other process that the supervisor has ended', async () => {
    const taken = await takeService(path, 'bids');
    server.close();
    await taken.supervisorEnded;
    expect(resume).not.toHaveBeenCalled();
  });

  it('is open to this user only', () => {
    expect(statSync(path).mode & 0o077).toBe(0);
  });
});

describe('handoverSocket', () => {
  it('is short enough for a socket and differs by data folder', () => {
    const long = handoverSocket(`/home/${'x'.repeat(200)}`);
    expect(long.length).toBeLessThan(tmpdir().length + 40);
    expect(handoverSocket('/home/a')).not.toBe(handoverSocket('/home/b'));
  });
});
