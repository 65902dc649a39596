import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import type { RunningTenders } from './running-tenders.ts';
import { validTender } from './valid-tender.ts';

export type Headers = Readonly<Record<string, string>>;

type InjectResponse = Awaited<ReturnType<RunningTenders['app']['inject']>>;

export interface CreatedTender {
  readonly answer: InjectResponse;
  readonly id: string;
  // The type that `json()` of an answer has.
  readonly data: any;
  readonly owner: Headers;
}

/** Requests in the form in which the gateway sends them. */
export interface Requests {
  send(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    headers: Headers,
    data?: unknown,
  ): Promise<InjectResponse>;
  /** Creates a tender. `data` is the tender of the answer, `owner` are the headers of its owner. */
  created(overrides?: Readonly<Record<string, unknown>>): Promise<CreatedTender>;
}

export function requestsTo(running: () => RunningTenders): Requests {
  const send: Requests['send'] = async (method, url, headers, data) =>
    running().app.inject({
      method,
      url,
      headers: { ...headers, ...(data === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(data === undefined ? {} : { payload: JSON.stringify({ data }) }),
    });
  return {
    send,
    async created(overrides = {}) {
      const answer = await send('POST', '/tenders', signedIdentity(), validTender(overrides));
      // A refused creation has neither.
      const { data, access } = answer.json();
      return { answer, id: data?.id, data, owner: signedIdentity({ tokenHash: sha256Hex(access?.token ?? '') }) };
    },
  };
}
