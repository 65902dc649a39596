import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../services/gateway/src/description/openapi.ts';
import type { Exchange } from './recordings.ts';

/** Validates requests and answers by an OpenAPI 3.1 document. Empty lists: valid. */
export interface DocumentValidator {
  requestErrors(exchange: Pick<Exchange, 'method' | 'path' | 'request'>): readonly string[];
  /** Answers are validated strictly: a member that the schema does not name is an error. */
  responseErrors(exchange: Pick<Exchange, 'method' | 'path' | 'status' | 'response'>): readonly string[];
}

const DOCUMENT = 'document.json';
const ERRORS_MAX = 5;

/** Answers without JSON content: the schema of the stream is that of one event, that of JSON Lines of a line. */
const OTHER_CONTENT = [
  { template: '/stream', schema: 'content/text~1event-stream/schema' },
  { template: '/ocds/releases.jsonl', schema: 'content/application~1x-ndjson/schema' },
  { template: '/ocds/records.jsonl', schema: 'content/application~1x-ndjson/schema' },
  { template: '/exports/{export_id}/{file_id}', schema: 'content/application~1gzip/schema' },
] as const;

export function makeDocumentValidator(document: OpenApiDocument): DocumentValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  // The package is CommonJS with a default export; under Node's resolution its type is the module.
  (addFormats as unknown as typeof addFormats.default)(ajv);
  ajv.addSchema(withClosedAnswers(document), DOCUMENT);

  function requirePointer(method: string, path: string): string {
    const template = Object.keys(document.paths).find((candidate) => isAt(candidate, path));
    const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
    if (template === undefined || operation === undefined) throw new Error(`no operation ${method} ${path}`);
    return `#/paths/${escapePointer(template)}/${method.toLowerCase()}`;
  }

  function errorsAt(pointer: string, value: unknown): readonly string[] {
    const validate = ajv.getSchema(DOCUMENT + pointer) ?? ajv.compile({ $ref: DOCUMENT + pointer });
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, ERRORS_MAX).map(errorText);
  }

  const json = 'content/application~1json/schema';
  return {
    requestErrors: ({ method, path, request }) =>
      errorsAt(`${requirePointer(method, path)}/requestBody/${json}`, request).map((error) => `request ${error}`),
    responseErrors({ method, path, status, response }) {
      const answer = `${requirePointer(method, path)}/responses/${status}`;
      const schema = OTHER_CONTENT.find(({ template }) => isAt(template, path))?.schema ?? json;
      return errorsAt(status < 300 ? `${answer}/${schema}` : '#/components/schemas/Problem', response).map(
        (error) => `answer ${error}`,
      );
    },
  };
}

/** Whether a path of a request is at a path of the document, `/tenders/{tender_id}`. */
export function isAt(template: string, path: string): boolean {
  const parts = path.split('/');
  const pattern = template.split('/');
  return pattern.length === parts.length && pattern.every((part, n) => part.startsWith('{') || part === parts[n]);
}

function escapePointer(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function errorText({ instancePath, message = '', params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}

/** Rows of the feed have the members that `opt_fields` asks for, and releases those of another standard: they cannot be closed. */
const OPEN_COMPONENTS = new Set(['FeedEntry', 'OcdsRelease']);

/**
 * The document with every object closed. Published schemas of answers stay open, so that clients made from them accept members
 * that come later; here a member without a schema is a gap in the contract.
 */
function withClosedAnswers(document: OpenApiDocument): object {
  return JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (OPEN_COMPONENTS.has(key) || typeof value !== 'object' || value === null || !('properties' in value))
      return value;
    return 'type' in value && value.type === 'object' ? { ...value, additionalProperties: false } : value;
  }) as object;
}
