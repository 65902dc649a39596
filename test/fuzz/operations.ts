import type { Json } from '../support/broker.ts';

export const SEGMENTS = ['2.5', '2.3', '0', '0.1'] as const;

/** One operation of one segment, as its OpenAPI document describes it. */
export interface Operation {
  readonly segment: string;
  readonly method: string;
  /** Path from the root, with the names of parameters in braces. */
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly schema: Json }[];
  /** Schema of the whole JSON body; undefined without one. */
  readonly body: Json;
  readonly takesFile: boolean;
  /** The document, which holds what schemas refer to. */
  readonly document: Json;
}

/** Operations outside of all segments: the document service, pages, health. */
const OTHERS = [
  'POST /register',
  'POST /upload',
  'POST /upload/{document_id}',
  'GET /get/{document_id}',
  'GET /',
  'GET /docs',
  'GET /health',
];

/** All operations of all segments that a running system describes, and the others. */
export async function readOperations(gatewayUrl: string): Promise<readonly Operation[]> {
  const documents = SEGMENTS.map(async (segment) => {
    const answer = await fetch(`${gatewayUrl}/api/${segment}/openapi.json`);
    return listOperations(segment, (await answer.json()) as Json);
  });
  return [...(await Promise.all(documents)).flat(), ...OTHERS.map(otherOperation)];
}

function otherOperation(line: string): Operation {
  const [method = '', path = ''] = line.split(' ');
  return { segment: '', method, path, query: [], body: undefined, takesFile: method === 'POST', document: {} };
}

function listOperations(segment: string, document: Json): readonly Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, described]) => {
      const content = described.requestBody?.content ?? {};
      const base = new URL(described.servers?.[0]?.url ?? `http://host/api/${segment}`).pathname;
      return {
        segment,
        method: method.toUpperCase(),
        path: base + path,
        query: (described.parameters ?? []).filter((one: Json) => one.in === 'query'),
        body: content['application/json']?.schema,
        takesFile: content['multipart/form-data'] !== undefined,
        document,
      };
    }),
  );
}
