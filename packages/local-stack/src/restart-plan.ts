import { SERVICES, type ServiceName } from './ports.ts';

/** The packages of this repository that each service depends on, directly or not, by folder name: `kit`, `contracts`. */
export type ServicePackages = Readonly<Record<ServiceName, readonly string[]>>;

const TEST_FILE = /\.test\.ts$/;
const SCHEMA = 'prisma/schema.prisma';

/**
 * The services that must restart after a change of a file. `path` is relative to the root of the repository, with `/`. A file of a
 * service restarts that service, a file of a package the services that depend on it. Tests and all other files restart nothing.
 */
export function servicesToRestart(path: string, packages: ServicePackages): readonly ServiceName[] {
  const [, kind, name = '', rest = ''] = /^(services|packages)\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (kind === 'services') return SERVICES.filter((service) => service === name && isRunBy(rest));
  const isOfPackage = isSource(rest) || rest.startsWith('prisma/kit-migrations/');
  if (kind === 'packages' && isOfPackage) return SERVICES.filter((service) => packages[service].includes(name));
  return [];
}

/** Not `src/gen`: it is rewritten, unchanged, whenever turbo restores it from its cache. */
function isSource(path: string): boolean {
  return path.startsWith('src/') && !path.startsWith('src/gen/') && !TEST_FILE.test(path);
}

/** Sources, migrations, which a service applies when it starts, and the schema that `src/gen` is generated from. */
function isRunBy(path: string): boolean {
  return isSource(path) || path.startsWith('prisma/migrations/') || path === SCHEMA;
}

/** The service whose `src/gen` must be generated again after a change of this file. */
export function serviceToGenerate(path: string): ServiceName | undefined {
  return SERVICES.find((service) => path === `services/${service}/${SCHEMA}`);
}
