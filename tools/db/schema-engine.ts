import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

// The types of WebAssembly are part of the DOM library, which is not included.
declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** A Prisma schema. Errors name its path. */
export interface SchemaText {
  readonly path: string;
  readonly content: string;
}

type Engine = Awaited<ReturnType<typeof bindings.SchemaEngine.new>>;

let engineLoaded: Promise<void> | undefined;

/** Loads the WebAssembly engine once. The native engine would be downloaded at install time. */
async function loadEngine(): Promise<void> {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  // The generated bindings call their initialiser like this; the export has no type.
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
 * The SQL that changes a database from one schema to another; empty if they are equal. `from` undefined: an empty database. The
 * engine changes no tables but connects once, so `databaseUrl` must be reachable. It keeps handles open: a program must end with
 * `process.exit`.
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
  // Exit code 0: no change; stdout is then a comment.
  return result.exitCode === 0 ? '' : (result.stdout ?? '');
}
