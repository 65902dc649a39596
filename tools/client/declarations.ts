/** A schema as OpenAPI documents of this repository have it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly readOnly?: boolean;
}

const SIMPLE_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
};

/** One exported declaration of TypeScript for each schema of a document, in alphabetical order. */
export function writeDeclarations(schemas: Readonly<Record<string, unknown>>): string {
  return Object.keys(schemas)
    .toSorted()
    .map((name) => writeDeclaration(name, schemas[name] as Schema))
    .join('\n');
}

function writeDeclaration(name: string, schema: Schema): string {
  const comment = writeComment(schema, '');
  const isPatch = name.endsWith('Patch');
  return Object.keys(schema.properties ?? {}).length === 0
    ? `${comment}export type ${name} = ${writeType(schema, '', isPatch)};\n`
    : `${comment}export interface ${name} ${writeType(schema, '', isPatch)}\n`;
}

function writeType(schema: Schema, indent: string, isPatch: boolean): string {
  const { $ref, anyOf, type = '' } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  const values = schema.enum ?? ('const' in schema ? [schema.const] : undefined);
  if (values !== undefined) return values.map(writeLiteral).join(' | ');
  if (schema.not !== undefined) return 'never';
  if (anyOf !== undefined) return anyOf.map((one) => writeType(one, indent, isPatch)).join(' | ');
  if (type === 'array') return `readonly (${writeType(schema.items ?? {}, indent, isPatch)})[]`;
  if (type === 'object') return writeObject(schema, indent, isPatch);
  return SIMPLE_TYPES[type] ?? 'unknown';
}

function isUnknown(schema: Schema): boolean {
  return writeType(schema, '', false) === 'unknown';
}

function writeLiteral(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

/**
 * Members that a request may send without effect (`readOnly` without a type) are left out. In a PATCH null removes a member
 * (http.md 0.3), which OpenAPI does not show.
 */
function writeObject(
  { properties = {}, required = [], additionalProperties }: Schema,
  indent: string,
  isPatch: boolean,
): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties)
    .filter(([, schema]) => schema.readOnly !== true)
    .map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?';
      return `${writeComment(schema, inner)}${inner}readonly ${name}${mark}: ${writeType(schema, inner, isPatch)}${isPatch && !isUnknown(schema) ? ' | null' : ''};`;
    });
  const hasMore = typeof additionalProperties === 'object';
  const lines = [...members, ...(hasMore ? [`${inner}readonly [member: string]: unknown;`] : [])];
  return lines.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${lines.join('\n')}\n${indent}}`;
}

function writeComment({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '* /')} */\n`;
}
