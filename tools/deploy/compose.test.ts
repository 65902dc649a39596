import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkServerIdentity } from 'node:tls';
import { makeCertificates } from '@procurement/nats-certificates/certificates';
import { privateKeySetting, publicKeyOf, publicKeysSetting } from '@procurement/kit/runtime/identity-keys';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { SANDBOX_BROKERS } from '../../services/gateway/src/auth/sandbox-keys.ts';
import {
  defaultPort,
  requiredSettings,
  ROOT,
  SERVICES,
  readSettings,
  stopSeconds,
  storeVariables,
  readText,
  readYaml,
} from './repository.ts';

const Condition = z.enum(['service_healthy', 'service_completed_successfully']);
const Compose = z.strictObject({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      build: z.strictObject({ context: z.string(), target: z.string() }).optional(),
      environment: z.record(z.string(), z.string()).default({}),
      healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
      depends_on: z.record(z.string(), z.strictObject({ condition: Condition })).default({}),
      ports: z.array(z.string()).default([]),
      volumes: z.array(z.string()).default([]),
      networks: z.array(z.string()).default([]),
      network_mode: z.string().optional(),
      user: z.string().optional(),
      cap_drop: z.array(z.string()).default([]),
      profiles: z.array(z.string()).default([]),
      restart: z.string(),
      stop_grace_period: z.string().optional(),
      logging: z.unknown().optional(),
    }),
  ),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});

/** The file in the form of docker-compose 1.29, which refuses a top-level `name` or `configs`. */
function compose(): z.infer<typeof Compose> {
  const [file] = readYaml('docker-compose.yml');
  const entries = Object.entries(z.record(z.string(), z.unknown()).parse(file));
  return Compose.parse(Object.fromEntries(entries.filter(([key]) => !key.startsWith('x-'))));
}

const file = compose();
const service = (name: string) => {
  const found = file.services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
};

describe.each(SERVICES)('docker-compose.yml: %s', (name) => {
  it('is built from its own target of the Dockerfile', () => {
    expect(service(name).build).toEqual({ context: '.', target: name });
    expect(readText('Dockerfile')).toContain(`FROM runtime AS ${name}\n`);
  });

  it('is bundled for npm start, like for its image', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readText(`services/${name}/package.json`)));
    expect(scripts['bundle']).toBe(`tsx ../../tools/bundle.ts --local ${name}`);
  });

  it('has a readiness check and waits for PostgreSQL and NATS', () => {
    expect(service(name).healthcheck?.test.join(' ')).toContain('/ready');
    expect(service(name).depends_on).toMatchObject({
      postgres: { condition: 'service_healthy' },
      nats: { condition: 'service_healthy' },
    });
  });

  it('sets only variables of its configuration, and all required ones', async () => {
    const known = Object.keys(await readSettings(name));
    const given = Object.keys(service(name).environment);
    expect(given.filter((variable) => !known.includes(variable))).toEqual([]);
    expect((await requiredSettings(name)).filter((variable) => !given.includes(variable))).toEqual([]);
  });

  it('has the time that its end takes', async () => {
    expect(service(name).stop_grace_period).toBe(`${await stopSeconds(name)}s`);
  });

  it('listens on its default port, as image and gateway expect', async () => {
    const port = await defaultPort(name);
    expect(service(name).environment['PORT']).toBe(String(port));
    expect(readText('Dockerfile')).toContain(`FROM runtime AS ${name}\nENV PORT=${port}\nEXPOSE ${port}\n`);
    if (name === 'gateway') expect(service(name).ports).toEqual([`\${PUBLISH:-127.0.0.1:8080}:${port}`]);
    else expect(service('gateway').environment[`${name.toUpperCase()}_URL`]).toBe(`http://${name}:${port}`);
  });

  it('has a database, a role and a password of its own', () => {
    const variable = `${name.toUpperCase()}_DB_PASSWORD`;
    expect(service(name).environment['DATABASE_URL']).toMatch(
      new RegExp(`^postgresql://${name}:\\$\\{${variable}:\\?[^}]*\\}@postgres:5432/${name}$`),
    );
    expect(service('postgres').environment).toHaveProperty(variable);
    expect(readText('deploy/compose/postgres-init.sh')).toMatch(new RegExp(`for service in .*\\b${name}\\b`));
  });

  it('has a user and a password of its own at NATS', () => {
    const variable = `NATS_${name.toUpperCase()}_PASSWORD`;
    expect(service(name).environment).toMatchObject({
      NATS_USER: name,
      NATS_PASSWORD: expect.stringMatching(new RegExp(`^\\$\\{${variable}:\\?`)),
    });
    expect(service('nats').environment).toHaveProperty(variable);
    expect(readText('deploy/compose/nats/users.conf')).toContain(`$${variable}\n`);
  });

  it('is reachable from outside only if it is the gateway', () => {
    expect(service(name).networks).toEqual(['inside', 'metrics', ...(name === 'gateway' ? ['outside'] : [])]);
  });
});

describe('docker-compose.yml', () => {
  it('starts the gateway after the services that decide, and not after those that follow', () => {
    const followers = ['register', 'ledger'];
    const others = SERVICES.filter((name) => ![...followers, 'gateway'].includes(name));
    expect(Object.keys(service('gateway').depends_on)).toEqual(expect.arrayContaining(others));
    for (const name of followers) expect(service('gateway').depends_on).not.toHaveProperty(name);
  });

  it('leaves the sandbox off', () => {
    for (const name of SERVICES) expect(service(name).environment['SANDBOX_MODE']).toBe('${SANDBOX_MODE:-off}');
  });

  it('is a sandbox by one line of the README, which names its address and all its keys', () => {
    const line = /^ {4}(.*SANDBOX_MODE=on.*)$/m.exec(readText('deploy/README.md'))?.[1] ?? '';
    expect(readText('docker-compose.yml')).toContain(`\n#   ${line}\n`);
    const [prepare = '', start] = line.split('; ');
    expect(start).toBe('SANDBOX_MODE=on docker compose up --build --wait');
    const home = mkdtempSync(join(tmpdir(), 'compose-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    symlinkSync(join(ROOT, 'deploy'), join(home, 'deploy'));
    const readEnv = (): string => {
      execFileSync('sh', ['-c', prepare], { cwd: home });
      return readFileSync(join(home, '.env'), 'utf8');
    };
    const made = readEnv();
    // Other secrets would not be those of the volumes.
    expect(readEnv()).toBe(made);
    const [, address] = /^PUBLIC_BASE_URL=(.*)$/m.exec(made) ?? [];
    const [, sandbox = ''] = readText('deploy/README.md').split(line);
    const [text] = sandbox.split('\n| Profile');
    expect(text).toContain(`<${address}>`);
    for (const { name } of SANDBOX_BROKERS) expect(text).toContain(`\`${name}\``);
  });

  it('keeps Prometheus, Grafana and Jaeger away from databases, NATS and the object store', () => {
    for (const name of ['prometheus', 'grafana', 'jaeger'])
      expect(service(name).networks).toEqual(['metrics', 'outside']);
    for (const name of ['postgres', 'nats', 'nats-2', 'nats-3', 'store'])
      expect(service(name).networks).toEqual(['inside']);
  });

  it('gives documents, register and ledger users of their own at the object store, for their buckets only', () => {
    const { S3_ACCESS_KEY, S3_SECRET_KEY } = service('documents').environment;
    expect(S3_ACCESS_KEY).toBe('documents');
    expect(S3_SECRET_KEY).toMatch(/^\$\{DOCUMENTS_STORE_PASSWORD:\?/);
    for (const name of SERVICES) expect(JSON.stringify(service(name).environment)).not.toContain('STORE_ROOT');
    // `userplus`: may make buckets, and sees its own only.
    expect(readText('deploy/compose/store/start.sh')).toMatch(/"documents":\{[^}]*"role":"userplus"\}/);
    expect(readText('deploy/compose/store/start.sh')).toMatch(/"register":\{[^}]*"role":"userplus"\}/);
    expect(readText('deploy/compose/store/start.sh')).toMatch(/"ledger":\{[^}]*"role":"userplus"\}/);
    expect(service('ledger').environment['S3_SECRET_KEY']).toMatch(/^\$\{LEDGER_STORE_PASSWORD:\?/);
    expect(service('register').environment['S3_SECRET_KEY']).toMatch(/^\$\{REGISTER_STORE_PASSWORD:\?/);
    const policy = z
      .object({ Statement: z.array(z.object({ Resource: z.array(z.string()) })) })
      .parse(JSON.parse(readText('deploy/compose/store/bucket-policy.json')));
    for (const { Resource } of policy.Statement)
      for (const resource of Resource) expect(resource).toMatch(/^arn:aws:s3:::documents(\/\*)?$/);
  });

  it('starts the object store of tests with the variables of its script', () => {
    const data = mkdtempSync(join(tmpdir(), 'store-'));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const script = readText('deploy/compose/store/start.sh')
      .replaceAll('/data', data)
      .replace('exec versitygw', 'echo');
    execFileSync('sh', ['-c', script], { env: { ...storeVariables('a-secret'), PATH: process.env['PATH'] } });
    const Account = z.looseObject({ access: z.string(), secret: z.literal('a-secret') });
    const { accessAccounts } = z
      .object({ accessAccounts: z.record(z.string(), Account) })
      .parse(JSON.parse(readFileSync(join(data, 'accounts/users.json'), 'utf8')));
    expect(Object.keys(accessAccounts)).toEqual(['documents', 'register', 'ledger']);
  });

  it('bounds the log of every container that goes on running', () => {
    const unbounded = Object.entries(file.services)
      .filter(([, { restart, logging }]) => restart !== 'no' && !JSON.stringify(logging ?? '').includes('max-size'))
      .map(([name]) => name);
    expect(unbounded).toEqual([]);
  });

  it('waits only for services that it defines, and that have a health check or end', () => {
    for (const { depends_on: needs } of Object.values(file.services)) {
      for (const [needed, { condition }] of Object.entries(needs)) {
        expect(service(needed).profiles).toEqual([]);
        if (condition === 'service_healthy') expect(service(needed).healthcheck).toBeDefined();
        else expect(service(needed).restart).toBe('no');
      }
    }
  });

  it('pins every image to a version', () => {
    for (const { image } of Object.values(file.services)) {
      expect(image).toMatch(/:(v?\d+\.\d+\.\d+|\d+\.\d+-|\$\{VERSION:-\d+\.\d+\.\d+\})/);
    }
  });

  it('passes on from .env what installations set, and leaves the defaults to the services', () => {
    const settable: readonly (readonly [string, string])[] = [
      ['gateway', 'TRUSTED_PROXIES'],
      ['gateway', 'RATE_READS_PER_SECOND'],
      ['gateway', 'RATE_WRITES_PER_SECOND'],
      ['gateway', 'UPLOADS_MAX'],
      ['documents', 'MAX_FILE_BYTES'],
      ['tenders', 'FEED_EPOCH'],
    ];
    for (const [name, setting] of settable) {
      expect(service(name).environment[setting]).toBe(`\${${setting}:-}`);
      expect(readText('deploy/compose/make-env.sh')).toMatch(new RegExp(`^# ${setting}=`, 'm'));
    }
    for (const name of SERVICES.filter((one) => 'CALENDAR_FILE' in service(one).environment)) {
      expect(service(name).environment['CALENDAR_FILE']).toBe('/calendar.json');
      expect(service(name).volumes).toContain('${CALENDAR_FILE:-./deploy/compose/calendar.json}:/calendar.json:ro');
    }
  });

  it('gives the calendar to every service that has one', async () => {
    for (const name of SERVICES) {
      const hasCalendar = 'CALENDAR_FILE' in (await readSettings(name));
      expect('CALENDAR_FILE' in service(name).environment, name).toBe(hasCalendar);
    }
  });

  it('mounts files that exist and volumes that are declared', () => {
    for (const { volumes } of Object.values(file.services)) {
      for (const [from = ''] of volumes.map((volume) => volume.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').split(':'))) {
        if (from.startsWith('./')) expect(existsSync(join(ROOT, from)), from).toBe(true);
        else expect(file.volumes).toHaveProperty(from);
      }
    }
  });

  it('verifies the databases that the services have, on request only', () => {
    const { environment, profiles, networks } = service('verify');
    const ofServices = SERVICES.map((name) => [
      `${name.toUpperCase()}_DATABASE_URL`,
      service(name).environment['DATABASE_URL'],
    ]);
    expect(environment).toEqual(Object.fromEntries(ofServices));
    expect([profiles, networks]).toEqual([['verify'], ['inside']]);
    expect(readText('Dockerfile')).toContain('FROM runtime AS verify\n');
  });

  it('requires only secrets that make-env.sh writes, and has no default for a secret', () => {
    const text = readText('docker-compose.yml');
    const written = readText('deploy/compose/make-env.sh');
    const required = [...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name ?? '');
    expect(required).toContain('IDENTITY_PRIVATE_KEY');
    const natsUsers = /for user in ([A-Z ]+);/.exec(written)?.[1]?.split(' ') ?? [];
    const names = `${written} ${natsUsers.map((user) => `NATS_${user}_PASSWORD`).join(' ')}`;
    for (const name of required) expect(names).toMatch(new RegExp(`\\b${name}\\b`));
    expect(text).not.toMatch(/\$\{[A-Z_]*(PASSWORD|SECRET|KEY):-[^}]/);
  });
});

describe('TLS of NATS', () => {
  const AUTHORITY = 'nats-authority:/etc/nats-authority:ro';
  const SERVERS = Object.keys(file.services).filter((name) => /^nats(-\d)?$/.test(name));
  const findMounters = (volume: string) =>
    Object.keys(file.services).filter((name) => service(name).volumes.some((mount) => mount.startsWith(`${volume}:`)));

  it('is asked for by every service, and by every server of both configurations', () => {
    expect(SERVERS).toEqual(['nats', 'nats-2', 'nats-3']);
    for (const name of SERVICES) {
      expect(service(name).environment['NATS_CA_FILE']).toBe('/etc/nats-authority/ca.pem');
      expect(service(name).volumes).toContain(AUTHORITY);
    }
    const pair = 'cert_file: /etc/nats-server/server.pem\n\\s+key_file: /etc/nats-server/server.pem\n';
    for (const configuration of ['single', 'cluster'])
      expect(readText(`deploy/compose/nats/${configuration}.conf`)).toMatch(new RegExp(`^tls \\{\n\\s+${pair}`, 'm'));
    // With `ca_file` each server of a cluster asks the others for their certificate.
    expect(readText('deploy/compose/nats/cluster.conf')).toMatch(
      new RegExp(`cluster \\{[^]*tls \\{\n\\s+${pair}\\s+ca_file: /etc/nats-authority/ca.pem\n`),
    );
    for (const name of SERVERS)
      expect(service(name).volumes).toEqual(expect.arrayContaining(['nats-server:/etc/nats-server:ro', AUTHORITY]));
  });

  it('has a private key that the servers alone can read', () => {
    expect(findMounters('nats-server')).toEqual(['nats-certificates', ...SERVERS]);
    const { user, cap_drop: dropped, network_mode: network } = service('nats-certificates');
    expect({ user, dropped, network }).toEqual({ user: '0:0', dropped: ['ALL'], network: 'none' });
  });

  it('has certificates that Node accepts for all names in the addresses of NATS', async () => {
    const hosts = service('nats-certificates').environment['NATS_HOSTS']?.split(',') ?? [];
    const [, one = ''] = /^\$\{NATS_URL:-(.*)\}$/.exec(service('tenders').environment['NATS_URL'] ?? '') ?? [];
    const [, three = ''] = /^# NATS_URL=(.*)$/m.exec(readText('deploy/compose/make-env.sh')) ?? [];
    const routes = Object.entries(service('nats').environment).filter(([name]) => name.startsWith('NATS_ROUTE_'));
    const used = [
      ...`${one},${three}`.split(',').map((url) => new URL(url).hostname),
      ...routes.map(([, url]) => /@(.*):/.exec(url)?.[1]),
    ];
    const made = await makeCertificates(hosts, new Date());
    const certificate = new X509Certificate(made.certificate).toLegacyObject();
    for (const host of used) expect(checkServerIdentity(host ?? '', certificate)).toBe(undefined);
    expect(new Set(hosts)).toEqual(new Set(SERVERS));
  });
});

describe('the private key of identities', () => {
  it('is known to the gateway only', () => {
    const holders = SERVICES.filter((name) => 'IDENTITY_PRIVATE_KEY' in service(name).environment);
    expect(holders).toEqual(['gateway']);
  });

  it('is made with its public key by make-env.sh, and both are accepted', () => {
    const env = execFileSync('sh', [join(ROOT, 'deploy/compose/make-env.sh')], { encoding: 'utf8' });
    const readValue = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(env)?.[1] ?? '';
    const key = privateKeySetting.parse(readValue('IDENTITY_PRIVATE_KEY'));
    expect(publicKeysSetting.parse(readValue('IDENTITY_PUBLIC_KEYS'))).toEqual([publicKeyOf(key)]);
  });
});

describe('Dockerfile', () => {
  it('copies the manifest of every workspace before it installs', () => {
    const { workspaces } = z.object({ workspaces: z.array(z.string()) }).parse(JSON.parse(readText('package.json')));
    expect(workspaces).toEqual(['packages/*', 'services/*', 'apps/*', 'test', 'tools']);
    const lock = z
      .object({ packages: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(readText('package-lock.json')));
    const folders = Object.keys(lock.packages).filter((path) => path !== '' && !path.includes('node_modules/'));
    const install = readText('Dockerfile').split('RUN npm ci')[0];
    for (const folder of folders) expect(install).toContain(`COPY ${folder}/package.json ${folder}/\n`);
  });

  it('leaves no package manager in the images', () => {
    const runtime = readText('Dockerfile')
      .split(/^FROM /m)
      .find((stage) => stage.includes(' AS runtime\n'));
    expect(runtime).toMatch(/^RUN rm -rf \/usr\/local\/lib\/node_modules \/usr\/local\/bin\/npm /m);
  });

  it('runs as an unprivileged user, on pinned images, and stops at SIGTERM', () => {
    const text = readText('Dockerfile');
    expect(text).toMatch(/^USER node$/m);
    expect(text).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(text).toMatch(/^HEALTHCHECK [^]*\/live/m);
    const bases = [...text.matchAll(/^FROM (\S+) AS (\S+)$/gm)].map(([, base = '']) => base);
    for (const base of bases) expect(base).toMatch(/^(runtime|node:\d+\.\d+\.\d+-bookworm-slim)$/);
  });
});
