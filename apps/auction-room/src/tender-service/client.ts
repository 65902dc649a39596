import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { ServiceRequest } from './requests.ts';

/** An answer of the tender service. Status 0 means that none came. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body: JsonObject;
  /** Description of the first error, when the service refused. */
  readonly description: string;
  readonly retryAfterSeconds?: number;
}

/** The tender service, as any auction component sees it: the public gateway, with a key of group `auction`. */
export interface TenderService {
  send(request: ServiceRequest): Promise<ServiceAnswer>;
  /** Sends a file to the document service, which stores it once for a key. `data` of the answer registers it. */
  upload(name: string, content: string, idempotencyKey: string): Promise<ServiceAnswer>;
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
const IDEMPOTENCY_KEY = 'idempotency-key';
const TIMEOUT_MS = 30_000;

export function makeTenderService({
  apiUrl,
  uploadUrl,
  key,
  fetch: send = fetch,
}: TenderServiceOptions): TenderService {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;

  async function exchange(
    address: string,
    init: Pick<RequestInit, 'method' | 'body'>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ServiceAnswer> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await send(address, { ...init, headers: { authorization, ...headers }, signal });
      const body = parsed(await response.text());
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
      return {
        status: response.status,
        body,
        description: readDescription(body),
        ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
      };
    } catch (error) {
      return { status: 0, body: {}, description: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    async send({ method, path, data, idempotencyKey }) {
      const address = `${apiUrl}${SEGMENT}${path}`;
      if (data === undefined) return exchange(address, { method });
      const headers = {
        'content-type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { [IDEMPOTENCY_KEY]: idempotencyKey }),
      };
      return exchange(address, { method, body: JSON.stringify({ data }) }, headers);
    },
    async upload(name, content, idempotencyKey) {
      const form = new FormData();
      form.append('file', new Blob([content], { type: 'application/yaml' }), name);
      return exchange(`${uploadUrl}/upload`, { method: 'POST', body: form }, { [IDEMPOTENCY_KEY]: idempotencyKey });
    },
  };
}

function parsed(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) ? body : {};
  } catch {
    return {};
  }
}

function readDescription({ errors }: JsonObject): string {
  const [first]: readonly unknown[] = Array.isArray(errors) ? errors : [];
  if (!isJsonObject(first)) return '';
  const { description } = first;
  return typeof description === 'string' ? description : JSON.stringify(description ?? '');
}
