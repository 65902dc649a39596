import { cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { licenceTexts } from './licences.ts';
import { coarseSourceMap } from './source-map.ts';

const ROOT = join(import.meta.dirname, '..');

/** Writes to the `dist` of the service, for `npm start`: half the processor time of a start is the loading of modules. */
const LOCAL = '--local';

/** Programs besides the services: the folder of the package, and the module that begins. */
const PROGRAMS: Readonly<Record<string, readonly [folder: string, entry: string]>> = {
  'auction-room': ['apps/auction-room', 'src/main.ts'],
  portal: ['apps/portal', 'src/main.ts'],
  'nats-certificates': ['packages/nats-certificates', 'src/main.ts'],
  verify: ['packages/local-stack', 'src/verify/main.ts'],
  'verify-procurement': ['packages/verify', 'src/main.ts'],
};

/** A program of clones, which has no image. */
const WITHOUT_IMAGE = 'verify-procurement';

function programOf(service: string): readonly [folder: string, entry: string] {
  return PROGRAMS[service] ?? [`services/${service}`, 'src/main.ts'];
}

/** Folders of a program that it reads beside its bundle. */
const READ_FOLDERS = ['prisma/migrations', 'page'];
/** The folder of kit that services read beside their bundle (packages/kit/src/migrations.ts). */
const KIT_MIGRATIONS = 'prisma/kit-migrations';

/** Packages whose files are read at run time; they are copied beside the bundle. */
const UNBUNDLED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  gateway: ['swagger-ui-dist', '@procurement/docs'],
};

// CommonJS packages in the bundle use these three, which ES modules do not have.
// Process 1 of a container ignores SIGTERM until it has a listener. On a busy machine the rest of a bundle takes seconds to load.
const BANNER = `import { createRequire as bundledRequire } from 'node:module';
import { fileURLToPath as bundledPath } from 'node:url';
const require = bundledRequire(import.meta.url);
const __filename = bundledPath(import.meta.url);
const __dirname = bundledPath(new URL('../packages/testing/tools', import.meta.url));
process.once('SIGTERM', () => process.exit(0));`;

/**
 * Writes the folder `out`: `dist/main.js` with all dependencies, `dist/worker.js` for threads, the migrations one folder above it as in the source tree,
 * the package.json that makes the bundle an ES module, and the licences of all that is in it. An image contains this folder only (platform.md 6.3). Answers the size
 * of the bundle in bytes.
 */
async function writeBundle(service: string, out: string): Promise<number> {
  const [folder, entry] = programOf(service);
  const source = join(ROOT, folder);
  const unbundled = UNBUNDLED_PACKAGES[service] ?? [];
  // The threads of a service begin in a file of their own, which has much less in it.
  const worker = join(source, 'src/worker.ts');
  const hasWorker = existsSync(worker);
  await rm(out, { recursive: true, force: true });
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: ROOT,
    entryPoints: [{ in: join(source, entry), out: 'main' }, ...(hasWorker ? [{ in: worker, out: 'worker' }] : [])],
    outdir: join(out, 'dist'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['source'],
    external: ['pg-native', ...unbundled],
    banner: { js: BANNER },
    sourcemap: 'linked',
    sourcesContent: false,
    // V8 keeps the text of a bundle in memory. Names stay, for stacks; the licences are in a file of their own.
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const files = ['main.js', ...(hasWorker ? ['worker.js'] : [])].map((name) => join(out, 'dist', name));
  for (const file of files) {
    await writeFile(file, escapeNonAscii(await readFile(file, 'utf8')));
    const mapFile = `${file}.map`;
    await writeFile(mapFile, JSON.stringify(coarseSourceMap(JSON.parse(await readFile(mapFile, 'utf8')))));
  }
  for (const read of READ_FOLDERS.filter((one) => existsSync(join(source, one))))
    await cp(join(source, read), join(out, read), { recursive: true });
  if (folder.startsWith('services/'))
    await cp(join(ROOT, 'packages/kit', KIT_MIGRATIONS), join(out, KIT_MIGRATIONS), { recursive: true });
  for (const name of unbundled) {
    const from = dirname(createRequire(join(source, 'package.json')).resolve(`${name}/package.json`));
    await mkdir(join(out, 'node_modules'), { recursive: true });
    // Source maps of other packages would be half of the image.
    const filter = (path: string) => !path.endsWith('.map');
    await cp(from, join(out, 'node_modules', name), { recursive: true, filter });
  }
  const packages = [
    ...Object.keys(metafile.inputs),
    ...unbundled.map((name) => createRequire(join(source, 'package.json')).resolve(`${name}/package.json`)),
  ];
  await writeFile(join(out, 'THIRD-PARTY-LICENCES.txt'), licenceTexts(ROOT, packages));
  await cp(join(ROOT, 'LICENSE'), join(out, 'LICENSE'));
  // Without dependencies, which are in the bundle: `type` makes Node load an ES module.
  const { name, version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as Record<string, string>;
  await writeFile(
    join(out, 'package.json'),
    `${JSON.stringify({ name, version, private: true, type: 'module' }, null, 2)}\n`,
  );
  return (await stat(join(out, 'dist/main.js'))).size;
}

/**
 * Replaces the folder of a bundle as a whole: a system that starts meanwhile copies one of the two (packages/local-stack/src/programs.ts), and of two
 * builds at once none deletes what the other has written.
 */
async function bundle(service: string, out: string): Promise<number> {
  const made = join(ROOT, 'node_modules/.cache/bundles', `${service}-${process.pid}`);
  const bytes = await writeBundle(service, made);
  await mkdir(dirname(out), { recursive: true });
  await rm(out, { recursive: true, force: true });
  await rename(made, out);
  return bytes;
}

/** One other character in it doubles the memory of a whole text. esbuild leaves them in regular expressions only. */
function escapeNonAscii(code: string): string {
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const services = [...readdirSync(join(ROOT, 'services')), ...Object.keys(PROGRAMS)];
const requested = process.argv.slice(2).filter((argument) => argument !== LOCAL);
for (const service of requested.length > 0 ? requested : services.filter((name) => name !== WITHOUT_IMAGE)) {
  if (!services.includes(service))
    throw new Error(`there is no service "${service}"; there are ${services.join(', ')}`);
  const out = process.argv.includes(LOCAL) ? `${programOf(service)[0]}/dist/bundle` : `dist/images/${service}`;
  const bytes = await bundle(service, join(ROOT, out));
  console.log(`${out}: ${(bytes / 1_048_576).toFixed(1)} MiB`);
}
