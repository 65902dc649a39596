import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

// The types of WebAssembly come with the browser's library, which has no place here; this is all that is needed of them.
declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** Where a Prisma schema stands; errors name this path. */
export interface SchemaText {
  readonly path: string;
  readonly content: string;
}

type Engine = Awaited<ReturnType<typeof bindings.SchemaEngine.new>>;

let engineLoaded: Promise<void> | undefined;

/** Loads the WebAssembly engine once. It replaces the native one, which has to be downloaded at install time. */
async function loadEngine(): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  // The generated glue calls its initialiser like this; the export has no type.
  (instance.exports['__wbindgen_start'] as (() => void) | undefined)?.();
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message(message: string) {
        process.stderr.write(`The schema engine panicked: ${message}\n`);
      },
    },
  });
}

/**
 * SQL that takes a database from one schema to another; the empty string when nothing changes. `from` undefined means an
 * empty database. Tables are not touched, but the engine connects once, so `databaseUrl` must be reachable. The engine
 * keeps handles open: a command-line program has to end with `process.exit`.
 */
export async function diffSchemas(databaseUrl: string, from: SchemaText | undefined, to: SchemaText): Promise<string> {
  await (engineLoaded ??= loadEngine());
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  const engine: Engine = await bindings.SchemaEngine.new({ datamodels: [[to.path, to.content]] }, () => {}, adapter);
  const result = await engine.diff({
    from: from === undefined ? { tag: 'empty' } : { tag: 'schemaDatamodel', files: [{ ...from }] },
    to: { tag: 'schemaDatamodel', files: [{ ...to }] },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  // Exit code 0 says "no change", with a comment that says so as its text.
  return result.exitCode === 0 ? '' : (result.stdout ?? '');
}
