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
 * The SQL that makes the tables of a schema in an empty database. The engine changes no tables but connects once, so `databaseUrl` must be
 * reachable. It keeps handles open: a program must end with `process.exit`.
 */
export async function writeTablesSql(databaseUrl: string, schema: SchemaText): Promise<string> {
  await (engineLoaded ??= loadEngine());
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  const engine: Engine = await bindings.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => {},
    adapter,
  );
  const result = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [{ ...schema }] },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  // Every database has it, and to create it anew needs a privilege that the owner of the tables may lack.
  return (result.stdout ?? '').replace('-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n\n', '');
}
