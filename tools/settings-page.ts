import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { APPS, ROOT, SERVICES, readSettings } from './deploy/repository.ts';

const PAGE = 'docs/settings.md';

type Shape = Readonly<Record<string, z.ZodType>>;

/** The settings that every service has with the same schema. */
function selectCommon(shapes: readonly Shape[]): Shape {
  const [first = {}, ...others] = shapes;
  return Object.fromEntries(
    Object.entries(first).filter(([name, schema]) =>
      others.every((shape) => shape[name] !== undefined && row(name, shape[name]) === row(name, schema)),
    ),
  );
}

/** A schema and the schemas that it wraps, from outside to inside. */
function layersOf(schema: z.ZodType): readonly z.ZodType[] {
  // Wrappers and pipes have them; zod's type of `def` is that of any schema.
  const { innerType, in: input } = schema.def as { readonly innerType?: z.ZodType; readonly in?: z.ZodType };
  const inner = innerType ?? input;
  return inner === undefined ? [schema] : [schema, ...layersOf(inner)];
}

/** `| name | default | what it is |`. */
function row(name: string, schema: z.ZodType): string {
  const layers = layersOf(schema);
  const description = layers.map((layer) => layer.description).find((text) => text !== undefined);
  if (description === undefined) throw new Error(`${name} has no description`);
  const isRequired = !schema.safeParse(undefined).success;
  const value = isRequired ? '**required**' : defaultText(layers.map(defaultOf).find((given) => given !== undefined));
  return `| \`${name}\` | ${value} | ${description.replaceAll('|', '\\|')} |`;
}

function defaultOf(schema: z.ZodType): unknown {
  // Defaults and prefaults have it; zod's type of `def` is that of any schema.
  return (schema.def as { readonly defaultValue?: unknown }).defaultValue;
}

function defaultText(value: unknown): string {
  if (value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? '`on`' : '`off`';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function table(shape: Shape): string {
  const rows = Object.keys(shape)
    .toSorted()
    .map((name) => row(name, shape[name] ?? z.unknown()));
  return ['| Variable | Default | What it is |', '|---|---|---|', ...rows].join('\n');
}

async function page(): Promise<string> {
  const shapes = await Promise.all(SERVICES.map(async (service) => ({ service, shape: await readSettings(service) })));
  const common = selectCommon(shapes.map(({ shape }) => shape));
  const sections = shapes.map(({ service, shape }) => {
    const own = Object.fromEntries(Object.entries(shape).filter(([name]) => !(name in common)));
    return `## ${service}\n\n${table(own)}`;
  });
  const apps = await Promise.all(APPS.map(async (app) => `## ${app}\n\n${table(await readSettings(app))}`));
  return [
    '# Settings',
    'Environment variables of the services, written by `npm run settings` from `config.ts` of each. An empty variable counts as absent. A service with a bad setting prints all of them and exits with the code 78. On and off may also be written `true`, `false`, `1`, `0`.',
    `## All services\n\n${table(common)}`,
    ...sections,
    'The following programs stand before the gateway. They share no setting with the services.',
    ...apps,
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n');
}

const text = await page();
if (process.argv[2] !== 'check') writeFileSync(join(ROOT, PAGE), text);
else if (readFileSync(join(ROOT, PAGE), 'utf8') !== text) {
  console.error(`${PAGE} differs from the settings of the services`);
  process.exitCode = 1;
}
