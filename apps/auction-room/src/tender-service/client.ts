import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { ServiceRequest } from './requests.ts';

/** An answer of the tender service. Status 0: none came. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body: JsonObject;
  /** Of a refusal: the description of its first error. */
  readonly description: string;
  readonly retryAfterSeconds?: number;
}

/** The tender service, as any auction component sees it: the public gateway, with a key of group `auction`. */
export interface TenderService {
  send(request: ServiceRequest): Promise<ServiceAnswer>;
  /** Sends a file to the document service. `data` of the answer registers it. */
  upload(name: string, content: string): Promise<ServiceAnswer>;
}

export interface TenderServiceOptions {
  /** Address of the gateway. */
  readonly apiUrl: string;
  /** Address of the document service. */
  readonly uploadUrl: string;
  readonly key: string;
  readonly fetch?: typeof fetch;
}

const SEGMENT = '/api/2.5';
const TIMEOUT_MS = 30_000;

export function makeTenderService({
  apiUrl,
  uploadUrl,
  key,
  fetch: send = fetch,
}: TenderServiceOptions): TenderService {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

  async function exchange(address: string, init: RequestInit): Promise<ServiceAnswer> {
    try {
      const headers = { authorization, ...init.headers };
      const response = await send(address, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      const body = parsed(await response.text());
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
      return {
        status: response.status,
        body,
        description: descriptionOf(body),
        ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
      };
    } catch (error) {
      return { status: 0, body: {}, description: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    send: async ({ method, path, data, idempotencyKey }) =>
      exchange(`${apiUrl}${SEGMENT}${path}`, {
        method,
        headers: {
          ...(data === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
      }),
    async upload(name, content) {
      const form = new FormData();
      form.append('file', new Blob([content], { type: 'application/yaml' }), name);
      return exchange(`${uploadUrl}/upload`, { method: 'POST', body: form });
    },
  };
}

/** Of the content, so that a repeat is the same request and a later version is another one (auction-room.md 6.3). */
export function contentHash(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function parsed(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) ? body : {};
  } catch {
    return {};
  }
}

function descriptionOf({ errors }: JsonObject): string {
  const [first]: readonly unknown[] = Array.isArray(errors) ? errors : [];
  if (!isJsonObject(first)) return '';
  const { description } = first;
  return typeof description === 'string' ? description : JSON.stringify(description ?? '');
}
