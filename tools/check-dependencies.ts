import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      link: z.boolean().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

const Manifest = z.looseObject({ allowScripts: z.record(z.string(), z.boolean()) });

const PLACE = 'node_modules/';

/**
 * What the lock file would install without proof: a package whose content is not fixed by a SHA-512, or that does not come from a
 * registry, and an install script about which `allowScripts` of package.json says nothing. `npm ci` checks the hashes.
 */
export function dependencyProblems(
  lock: z.infer<typeof Lock>,
  { allowScripts }: z.infer<typeof Manifest>,
): readonly string[] {
  const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes(PLACE) && link !== true);
  const names = new Set(installed.map(([path]) => packageNameOf(path)));
  const problems = installed.flatMap(([path, { resolved = '', integrity = '', hasInstallScript = false }]) => [
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ? [] : [`${path} has no SHA-512`]),
    ...(/^(git|file|http:|.*\.git)/.test(resolved) ? [`${path} is not from a registry: ${resolved}`] : []),
    ...(hasInstallScript && !(packageNameOf(path) in allowScripts)
      ? [`${path} has an install script, and allowScripts does not say whether it may run`]
      : []),
  ]);
  const stale = Object.keys(allowScripts).filter((name) => !names.has(name));
  return [...problems, ...stale.map((name) => `allowScripts names ${name}, which is not installed`)];
}

function packageNameOf(path: string): string {
  return path.slice(path.lastIndexOf(PLACE) + PLACE.length);
}

if (process.argv[1] === import.meta.filename) {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8'));
  const problems = dependencyProblems(Lock.parse(read('package-lock.json')), Manifest.parse(read('package.json')));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
