import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

// Writes packages/page-style/src/gen/assets.ts: the sheets and the script of all pages, minified, with names of their content, as texts of
// a module. So they are found from the sources, the build and the bundle of an image alike.
const FOLDER = join(import.meta.dirname, '../packages/page-style');
/** A sheet is a file of `css/` with what it imports; the script is one module. */
const ENTRIES = {
  portalSheet: 'css/portal.css',
  docsSheet: 'css/docs.css',
  referenceSheet: 'css/reference.css',
  roomSheet: 'css/room.css',
  pageScript: 'script/page.ts',
  referenceScript: 'script/reference.ts',
};
const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;
const HASH_CHARACTERS = 12;

/** The type of what the module has. */
const ASSET = `/** A file that browsers keep for a year: its name changes with its content. */
export interface Asset {
  readonly name: string;
  /** The \`Content-Type\` of the answer. */
  readonly type: string;
  readonly body: string;
}
`;

async function bundleAsset(entry: string): Promise<object> {
  const extension = entry.endsWith('.css') ? 'css' : 'js';
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    charset: 'utf8',
    logLevel: 'warning',
  });
  const body = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_CHARACTERS);
  const name = entry.replace(/^.*\/(.*)\..*$/, `$1.${hash}.${extension}`);
  return { name, type: TYPES[extension], body };
}

const lines = await Promise.all(
  Object.entries(ENTRIES).map(
    async ([name, entry]) => `export const ${name}: Asset = ${JSON.stringify(await bundleAsset(entry))};`,
  ),
);
mkdirSync(join(FOLDER, 'src/gen'), { recursive: true });
writeFileSync(join(FOLDER, 'src/gen/assets.ts'), `${ASSET}\n${lines.join('\n')}\n`);
