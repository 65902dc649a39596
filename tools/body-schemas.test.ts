import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  contractDocumentBodies,
  documentBodies,
  documentCollections,
  documentsApi,
  isOfContractAddress,
} from '@procurement/contracts/api/documents.api';
import { routes } from '@procurement/contracts/api/routes';
import type { OwnerService } from '@procurement/contracts/api/route';
import { z } from 'zod';

// OpenAPI describes the schemas of the route contracts. They cannot drift from what a service accepts as long as the service
// has no other schema to parse a body by: it imports none from contracts/resources, makes none of its own, and reads the
// contract of every route that it owns.

const ROOT = join(import.meta.dirname, '..');
const OWNERS: readonly OwnerService[] = ['tenders', 'bids', 'awards', 'documents', 'auction', 'register'];

/** Schemas that services use for something else than a body. */
const ALLOWED_SCHEMAS = new Set([
  // Whether a stored author has the current form (rulings R13).
  'Organization',
  // Whether the parts of a stored tender still refer to each other.
  'TenderReferences',
  // What other services learn of a tender: made, not read.
  'TenderFacts',
]);

const RESOURCE_IMPORT = /import\s+(?!type\b)\{([^}]*)\}\s*from\s*'(@procurement\/contracts\/resources\/[^']+)'/g;

interface ValueImport {
  readonly name: string;
  readonly module: string;
}

/** Names that a source text imports as values, not as types, from the resources of contracts. */
function findResourceValues(source: string): readonly ValueImport[] {
  return [...source.matchAll(RESOURCE_IMPORT)].flatMap(([, names = '', module = '']) =>
    names
      .split(',')
      .map((name) => name.trim().replace(/\s+as\s+.*$/, ''))
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ name, module })),
  );
}

/** The schemas among the values that a source text imports, without the allowed ones. */
async function findForeignSchemas(source: string): Promise<readonly string[]> {
  const imports = findResourceValues(source);
  const found = await Promise.all(
    imports.map(async ({ name, module }) => {
      const exported = (await import(module)) as Readonly<Record<string, unknown>>;
      return exported[name] instanceof z.ZodType && !ALLOWED_SCHEMAS.has(name) ? [name] : [];
    }),
  );
  return found.flat();
}

/** Sources that read bodies: rules, which stand in domain/ of the service or of a room, and handlers of routes. */
function readBodyReaders(owner: OwnerService): readonly { readonly path: string; readonly source: string }[] {
  const folder = join(ROOT, `services/${owner}/src`);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path, source: readFileSync(join(folder, path), 'utf8') }))
    .filter(
      ({ path, source }) =>
        /(?:^|\/)(?:domain|http)\//.test(path) ||
        source.includes("type { Handler } from '@procurement/kit/http/mount'"),
    );
}

/**
 * Members that a source text reads of an object of contracts, `createQuestion` of `questionsApi.createQuestion`. Both names
 * of `tendersApi[isPut ? 'putTender' : 'patchTender']` count.
 */
function findMembersRead(objectPattern: string, source: string): readonly string[] {
  const named = [...source.matchAll(new RegExp(`\\b${objectPattern}\\.(\\w+)`, 'g'))].map(([, name = '']) => name);
  const computed = [...source.matchAll(new RegExp(`\\b${objectPattern}\\[([^\\]]*)\\]`, 'g'))];
  return [
    ...named,
    ...computed.flatMap(([, expression = '']) => [...expression.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)),
  ];
}

describe.each(OWNERS)('bodies that %s reads', (owner) => {
  const sources = readBodyReaders(owner);
  const readingSources = sources.filter(({ source }) =>
    /\b(parseWith|safeParse|superRefine|readTender|readChanged|admitOwnershipChange)\(/.test(source),
  );

  it('are parsed by no schema but those of the route contracts', async () => {
    expect(sources.length).toBeGreaterThan(10);
    for (const { path, source } of sources) {
      expect(await findForeignSchemas(source), path).toEqual([]);
      expect(source, `${path} makes a schema of its own`).not.toMatch(/from 'zod'|\bmodel\(/);
    }
  });

  it('are parsed by the contract of their own route', () => {
    if (owner === 'documents') {
      // One decision serves all collections; it reads the schemas that their contracts are made of.
      const read = new Set(readingSources.flatMap(({ source }) => findMembersRead('selectBodies\\(state\\)', source)));
      expect([...read]).toEqual(expect.arrayContaining(['patch']));
      expect(readingSources.map(({ source }) => source).join('\n')).toContain(
        "selectBodies(state)[write === 'add' ? 'create' : 'put']",
      );
      const made = readingSources.find(({ source }) => source.includes('function selectBodies('));
      expect(made?.source).toContain('? contractDocumentBodies : documentBodies');
      return;
    }
    const read = readingSources.flatMap(({ source }) => findMembersRead('\\w+Api', source));
    const withBody = routes.filter((route) => route.owner === owner && route.body !== undefined);
    expect(withBody.length).toBeGreaterThan(0);
    expect(read).toEqual(expect.arrayContaining(withBody.map(({ name }) => name)));
  });
});

describe('documentBodies', () => {
  it.each(documentCollections.map((collection) => [collection.name, collection] as const))(
    'are the bodies of %s documents',
    (name, collection) => {
      const bodies = isOfContractAddress(collection) ? contractDocumentBodies : documentBodies;
      for (const [operation, schema] of Object.entries(bodies)) {
        expect(documentsApi[`${operation}${name}Document`]?.body).toBe(schema);
      }
    },
  );
});

describe('this check', () => {
  it('finds a schema that a service imports itself', async () => {
    const offence = `import { QuestionInput, type StoredQuestion } from '@procurement/contracts/resources/question';`;
    expect(await findForeignSchemas(offence)).toEqual(['QuestionInput']);
  });

  it('accepts types, and values that are no schemas', async () => {
    const source = `import type { QuestionInput } from '@procurement/contracts/resources/question';
      import { relatedItemError, type DocumentRecord } from '@procurement/contracts/resources/document';`;
    expect(await findForeignSchemas(source)).toEqual([]);
  });
});
