import type { JsonSchema } from '../generations/schema-overrides.ts';

/** Examples of one document, each stored once under the name of its first user. */
export interface SharedExamples {
  /** A reference to the example; undefined without one. */
  use(name: string, value: unknown): string | undefined;
  all(): Readonly<Record<string, JsonSchema>>;
}

export function makeSharedExamples(): SharedExamples {
  const namesByText = new Map<string, string>();
  const examples: Record<string, JsonSchema> = {};
  return {
    use(name, value) {
      if (value === undefined) return undefined;
      const text = JSON.stringify(value);
      const used = namesByText.get(text) ?? name;
      namesByText.set(text, used);
      examples[used] = { value };
      return `#/components/examples/${used}`;
    },
    all: () => examples,
  };
}
