/** JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Component name to a function that derives the schema of a segment from the canonical schema. */
export type SegmentSchemaOverrides = Readonly<Record<string, (canonical: JsonSchema) => JsonSchema>>;
