import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findFaults } from './kubernetes-schemas.ts';
import { podStopSeconds, requiredSettings, ROOT, readSettings, stopSeconds, readText, readYaml } from './repository.ts';

const FOLDER = 'deploy/portal';
const known = Object.keys(await readSettings('portal'));
const required = await requiredSettings('portal');

const Compose = z.object({
  services: z.object({
    gateway: z.object({ environment: z.record(z.string(), z.string()) }),
    portal: z.looseObject({
      build: z.object({ target: z.literal('portal') }),
      environment: z.record(z.string(), z.string()),
      stop_grace_period: z.string(),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      ports: z.array(z.string()),
    }),
  }),
});
const { portal, gateway } = Compose.parse(readYaml(`${FOLDER}/compose.yml`)[0]).services;

/** Expects settings that the program knows, and all that it requires. */
function expectSettings(given: readonly string[]): void {
  expect(given.filter((name) => !known.includes(name))).toEqual([]);
  expect(required.filter((name) => !given.includes(name))).toEqual([]);
}

describe('compose of the portal', () => {
  it('sets what the portal knows and needs, tells the gateway of it, and publishes the pages only', async () => {
    expectSettings(Object.keys(portal.environment));
    expect(Object.keys(await readSettings('gateway'))).toEqual(
      expect.arrayContaining(Object.keys(gateway.environment)),
    );
    expect(portal.ports).toEqual(['${PORTAL_PUBLISH:-127.0.0.1:8088}:8088']);
    expect(portal.stop_grace_period).toBe(`${await stopSeconds('portal')}s`);
  });
});

describe('Kubernetes of the portal', () => {
  const present = readdirSync(join(ROOT, FOLDER, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
  const [kustomization] = readYaml(`${FOLDER}/kubernetes/kustomization.yaml`);
  const { resources } = z.object({ resources: z.array(z.string()) }).parse(kustomization);

  it('has manifests that are all listed, and valid by the schemas of Kubernetes', async () => {
    expect(new Set([...resources, 'kustomization.yaml'])).toEqual(new Set(present));
    const faults = resources.flatMap((name) => readYaml(`${FOLDER}/kubernetes/${name}`).map(findFaults));
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });

  it('sets what the portal knows and needs, and leaves it the time that its end takes', async () => {
    const lines = readText(`${FOLDER}/kubernetes/portal.env`).split('\n');
    expectSettings(lines.flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []));
    // Five seconds of preStop.
    expect(podStopSeconds(`${FOLDER}/kubernetes/portal.yaml`)).toBe(5 + (await stopSeconds('portal')));
  });
});

describe('the image of the portal', () => {
  it('has a target of the Dockerfile with its ports', () => {
    const target = readText('Dockerfile').split('FROM runtime AS portal\n')[1] ?? '';
    for (const line of ['EXPOSE 8088', 'EXPOSE 8094', 'COPY --from=build /src/dist/images/portal ./'])
      expect(target).toContain(`${line}\n`);
  });
});
