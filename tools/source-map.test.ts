import { SourceMap } from 'node:module';
import { build, type BuildOptions } from 'esbuild';
import { expect, it } from 'vitest';
import { coarseSourceMap } from './source-map.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/own.js':
    'import { other } from "../node_modules/other/index.js";\n\nexport function own() {\n  const one = 1;\n  return other(one);\n}',
  'node_modules/other/index.js': 'export function other(n) {\n  const two = n + n;\n  return two * n;\n}',
};

/** A bundle of `FILES`, without the disk. */
async function bundled(
  options: BuildOptions,
): Promise<{ readonly code: readonly string[]; readonly map: SourceMap['payload'] }> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: ['src/own.js'],
    outfile: 'out.js',
    bundle: true,
    write: false,
    format: 'esm',
    sourcemap: 'linked',
    plugins: [
      {
        name: 'files in memory',
        setup(plugins) {
          plugins.onResolve({ filter: /.*/ }, ({ path }) => ({ path: path.replace('../', ''), namespace: 'memory' }));
          plugins.onLoad({ filter: /.*/, namespace: 'memory' }, ({ path }) => ({ contents: FILES[path] ?? '' }));
        },
      },
    ],
  });
  const findText = (end: string): string => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { code: findText('.js').split('\n'), map: JSON.parse(findText('.map')) };
}

it.each([{}, { minifyWhitespace: true }])(
  'keeps the lines of our own code, and the files of packages',
  async (options) => {
    const { code, map } = await bundled(options);
    const coarse = coarseSourceMap(map);
    const findPlace = (text: string): string => {
      const line = code.findIndex((one) => one.includes(text));
      const found = new SourceMap(coarse).findEntry(line, code[line]?.indexOf(text) ?? 0);
      return 'originalSource' in found ? `${found.originalSource}:${found.originalLine + 1}` : 'none';
    };
    expect(findPlace('const one')).toBe('memory:src/own.js:4');
    expect(findPlace('return other')).toBe('memory:src/own.js:5');
    expect(findPlace('const two')).toBe('memory:node_modules/other/index.js:1');
    expect(findPlace('return two')).toBe('memory:node_modules/other/index.js:1');
    expect(coarse.mappings.length).toBeLessThan(map.mappings.length / 2);
  },
);
