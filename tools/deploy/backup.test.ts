import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT, SERVICES, readText, readYaml } from './repository.ts';

const FOLDER = 'deploy/backup';
const SCRIPTS = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.sh'));

const File = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({ image: z.string().optional(), volumes: z.array(z.string()).default([]) }),
  ),
  volumes: z.record(z.string(), z.unknown()),
});
const [base, override] = ['docker-compose.yml', `${FOLDER}/compose.yml`].map((path) => File.parse(readYaml(path)[0]));

describe('deploy/backup', () => {
  it.each(SCRIPTS)('%s is a script of sh that ends at the first failure', (name) => {
    execFileSync('sh', ['-n', join(ROOT, FOLDER, name)]);
    expect(readText(`${FOLDER}/${name}`)).toMatch(/^#!\/bin\/sh\n(#.*\n)+set -eu\n/);
  });

  it('dumps every service', () => {
    const listed = /^for service in ([^;]*);/m.exec(readText(`${FOLDER}/dump.sh`))?.[1] ?? '';
    expect(listed.split(' ').toSorted()).toEqual(SERVICES);
  });

  it('restores with the same image into the volumes of the system', () => {
    const backup = override?.services['backup'];
    expect(backup?.image).toBe(base?.services['postgres']?.image);
    const mounted = (backup?.volumes ?? []).flatMap((volume) =>
      /^[a-z]/.test(volume) ? [volume.split(':')[0] ?? ''] : [],
    );
    for (const name of mounted) expect(base?.volumes).toHaveProperty(name);
    // Certificates of NATS are made anew where they are missing.
    const unsaved = /prometheus|grafana|nats-authority|nats-server/;
    const stores = Object.keys(base?.volumes ?? {}).filter((name) => !unsaved.test(name));
    expect(mounted.toSorted()).toEqual(stores.toSorted());
  });
});
