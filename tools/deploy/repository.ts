import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, type ToJSOptions } from 'yaml';
import { CLOSE_SECONDS } from '@procurement/kit/runtime/process';
import { z } from 'zod';

export const ROOT = join(import.meta.dirname, '../..');

/** The eight services, by folder. */
export const SERVICES: readonly string[] = readdirSync(join(ROOT, 'services')).toSorted();

/** Programs of `apps` with an image of their own. */
export const APPS: readonly string[] = ['auction-room', 'portal'];

/** A file of the repository as text. */
export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Names and values of a file of variables, as a generator of ConfigMaps reads it. */
export function readVariables(path: string): Readonly<Record<string, string>> {
  const lines = readText(path)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

/** All documents of a YAML file, with merge keys (`<<`) applied. Throws on the first error or warning of the parser. */
export function readYaml(path: string, options: ToJSOptions = {}): readonly unknown[] {
  return parseAllDocuments(readText(path), { merge: true, strict: true, uniqueKeys: true }).map((document) => {
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw new Error(`${path}: ${fault.message}`);
    return document.toJS(options) as unknown;
  });
}

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({ image: z.string(), environment: z.record(z.string(), z.string()).default({}) }),
  ),
});

/** Image and variables of a service of docker-compose.yml. */
export function composeService(name: string): z.infer<typeof Compose>['services'][string] {
  const service = Compose.parse(readYaml('docker-compose.yml')[0]).services[name];
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return service;
}

/** The variables of the object store of docker-compose.yml, with one secret as the key of root and of all accounts. */
export function storeVariables(secret: string): Record<string, string> {
  const names = Object.keys(composeService('store').environment);
  return Object.fromEntries(names.map((name) => [name, name === 'ROOT_ACCESS_KEY' ? 'root' : secret]));
}

const ConfigModule = z.object({ configShape: z.record(z.string(), z.instanceof(z.ZodType)) });

/** The variables of a service's `config.ts`, with their schemas. */
export async function readSettings(service: string): Promise<Readonly<Record<string, z.ZodType>>> {
  const file = join(APPS.includes(service) ? 'apps' : 'services', service, 'src/config.ts');
  const path = join(ROOT, file);
  if (!existsSync(path)) throw new Error(`${file} is missing`);
  return ConfigModule.parse(await import(path)).configShape;
}

/** The default of PORT of a service. */
export async function defaultPort(service: string): Promise<number> {
  return z.number().parse((await readSettings(service))['PORT']?.parse(undefined));
}

/** Seconds from SIGTERM on, within which a service closes (kit/runtime/process.ts). */
export async function stopSeconds(service: string): Promise<number> {
  const shape = await readSettings(service);
  const readSeconds = (name: string): number => z.number().parse(shape[name]?.parse(undefined));
  return readSeconds('SHUTDOWN_LINGER_SECONDS') + readSeconds('SHUTDOWN_GRACE_SECONDS') + CLOSE_SECONDS;
}

/** Seconds from preStop to SIGKILL of the pods of a deployment, the first document of the file. */
export function podStopSeconds(path: string): number {
  const Pod = z.object({ terminationGracePeriodSeconds: z.number() });
  const Deployment = z.object({ spec: z.object({ template: z.object({ spec: Pod }) }) });
  return Deployment.parse(readYaml(path)[0]).spec.template.spec.terminationGracePeriodSeconds;
}

/** The variables without a default. */
export async function requiredSettings(service: string): Promise<readonly string[]> {
  const shape = await readSettings(service);
  return Object.keys(shape).filter((name) => shape[name]?.safeParse(undefined).success === false);
}
