import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findFaults } from './kubernetes-schemas.ts';
import { podStopSeconds, requiredSettings, ROOT, readSettings, stopSeconds, readText, readYaml } from './repository.ts';

const APP = 'auction-room';
const FOLDER = 'deploy/auction-room';
const known = Object.keys(await readSettings(APP));
const required = await requiredSettings(APP);

const Compose = z.object({
  services: z.object({
    'auction-room': z.looseObject({
      build: z.object({ target: z.string() }),
      environment: z.record(z.string(), z.string()),
      stop_grace_period: z.string(),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      networks: z.array(z.string()),
      ports: z.array(z.string()),
    }),
    'auction-room-database': z.looseObject({ image: z.string(), volumes: z.array(z.string()) }),
  }),
});
const { services } = Compose.parse(readYaml(`${FOLDER}/compose.yml`)[0]);
const room = services['auction-room'];

describe('compose of the auction room', () => {
  it('sets only variables of its configuration, and all required ones', () => {
    const given = Object.keys(room.environment);
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
    expect(required.filter((name) => !given.includes(name))).toEqual([]);
    expect(room.environment['SANDBOX_MODE']).toBe('${SANDBOX_MODE:-off}');
  });

  it('has the time that its end takes', async () => {
    expect(room.stop_grace_period).toBe(`${await stopSeconds(APP)}s`);
  });

  it('publishes the pages only', () => {
    expect(room.ports).toEqual(['${ROOM_PUBLISH:-127.0.0.1:8089}:8089']);
    expect(room.environment).toMatchObject({ PORT: '8089', OPERATOR_PORT: '8090' });
  });

  it('uses the PostgreSQL of the system for its own database', () => {
    const [base] = readYaml('docker-compose.yml');
    const { postgres } = z
      .object({ services: z.object({ postgres: z.object({ image: z.string() }) }) })
      .parse(base).services;
    expect(services['auction-room-database'].image).toBe(postgres.image);
    expect(room.environment['DATABASE_URL']).toMatch(
      /^postgresql:\/\/auction_room:\$\{AUCTION_ROOM_DB_PASSWORD:\?[^}]*\}@postgres:5432\/auction_room$/,
    );
  });

  it('requires only what a script writes or tells the reader to write', () => {
    const text = readText(`${FOLDER}/compose.yml`);
    const written = readText(`${FOLDER}/make-env.sh`) + readText('deploy/compose/make-env.sh');
    for (const [, name = ''] of text.matchAll(/\$\{([A-Z_]+):\?/g))
      expect(written).toMatch(new RegExp(`\\b${name}\\b`));
    expect(text).not.toMatch(/\$\{[A-Z_]*(PASSWORD|SECRETS|API_KEY):-/);
  });

  it('makes master keys that the room accepts', async () => {
    const env = execFileSync('sh', [join(ROOT, FOLDER, 'make-env.sh')], { encoding: 'utf8' });
    const secrets = /^ROOM_SECRETS=(.*)$/m.exec(env)?.[1];
    const { ROOM_SECRETS: schema } = await readSettings(APP);
    expect(schema?.safeParse(secrets).success).toBe(true);
  });
});

describe('Kubernetes of the auction room', () => {
  const manifests = ['auction-room', 'network-policies', 'ingress', 'secrets.template'];

  it.each(manifests)('is valid by the schemas of Kubernetes: %s', async (name) => {
    for (const manifest of readYaml(`${FOLDER}/kubernetes/${name}.yaml`))
      expect(await findFaults(manifest)).toEqual([]);
  });

  it('lists every manifest, except the template of its Secret', () => {
    const [file] = readYaml(`${FOLDER}/kubernetes/kustomization.yaml`);
    const { resources } = z.object({ resources: z.array(z.string()) }).parse(file);
    const present = readdirSync(join(ROOT, FOLDER, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
    const listed = [...resources, 'kustomization.yaml', 'secrets.template.yaml'];
    expect(present.toSorted()).toEqual(listed.toSorted());
  });

  it('sets only variables of its configuration, and all required ones', () => {
    const settings = readText(`${FOLDER}/kubernetes/auction-room.env`)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('=')[0] ?? '');
    const [secret] = readYaml(`${FOLDER}/kubernetes/secrets.template.yaml`);
    const secrets = Object.keys(z.object({ stringData: z.record(z.string(), z.string()) }).parse(secret).stringData);
    const given = [...settings, ...secrets];
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
    expect(required.filter((name) => !given.includes(name))).toEqual([]);
    for (const name of settings) expect(name).not.toMatch(/SECRET|PASSWORD|KEY|DATABASE/);
  });

  it('has the time that its end takes', async () => {
    // Five seconds of preStop.
    expect(podStopSeconds(`${FOLDER}/kubernetes/auction-room.yaml`)).toBe(5 + (await stopSeconds(APP)));
  });
});

describe('the image of the auction room', () => {
  it('has a target of the Dockerfile with its ports', () => {
    const target = readText('Dockerfile').split('FROM runtime AS auction-room\n')[1] ?? '';
    expect(room.build.target).toBe(APP);
    for (const line of ['EXPOSE 8089', 'EXPOSE 8090', 'COPY --from=build /src/dist/images/auction-room ./'])
      expect(target).toContain(`${line}\n`);
  });
});
