import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** What a package.json says of its package. */
interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
}

/** The folder of the package that a file of node_modules belongs to; undefined for other files. */
function packageFolder(root: string, file: string): string | undefined {
  const path = resolve(root, file);
  if (!path.includes('/node_modules/')) return undefined;
  for (let folder = dirname(path); !folder.endsWith('/node_modules'); folder = dirname(folder)) {
    // Some packages have a package.json without a name in the folder of each module system.
    if (existsSync(join(folder, 'package.json')) && readManifest(folder).name !== undefined) return folder;
  }
  return undefined;
}

function readManifest(folder: string): Manifest {
  // npm checks the shape of every package.json.
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Name, version, licence and the texts of its licence files. Throws if the package names no licence and has no text. */
function readEntry(folder: string): readonly [title: string, text: string] {
  const { name = '', version = '', license, author } = readManifest(folder);
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && license === undefined) throw new Error(`${name} ${version} has no licence`);
  const title = `${name} ${version} (${license ?? 'see text'})`;
  if (texts.length > 0) return [title, texts.join('\n\n')];
  const by = typeof author === 'string' ? author : author?.name;
  const absent = `The package has no text of its licence${by === undefined ? '' : `. Author: ${by}`}.`;
  return [title, license === 'MIT' ? `${absent} That of MIT:\n\n${MIT}` : absent];
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to
the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY
CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE
SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const RULE = '-'.repeat(80);

/**
 * The licences of all packages that the files belong to, by name: licences such as MIT and Apache 2.0 require that their text goes with
 * every copy. Files outside of node_modules are this project's own, under `LICENSE`.
 */
export function licenceTexts(root: string, files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => packageFolder(root, file) ?? []));
  const entries = new Map([...folders].map(readEntry).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const head = `Licences of the ${entries.size} packages in this image. Node.js has its own in /usr/local/LICENSE.`;
  return `${[head, ...[...entries].map(([title, text]) => `${RULE}\n${title}\n${RULE}\n\n${text}`)].join('\n\n')}\n`;
}
