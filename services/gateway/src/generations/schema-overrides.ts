/** JSON Schema as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas that a segment shows in another form, by component name: each makes its own of the canonical schema. */
export type SegmentSchemaOverrides = Readonly<Record<string, (canonical: JsonSchema) => JsonSchema>>;
