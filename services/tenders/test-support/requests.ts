import { sha256Hex } from '@procurement/kit/runtime/ids';
import { signedIdentity } from '@procurement/testing/identity';
import type { RunningTenders } from './running-tenders.ts';
import { validTender } from './valid-tender.ts';

export type Headers = Readonly<Record<string, string>>;

type InjectResponse = Awaited<ReturnType<RunningTenders['app']['inject']>>;

/** Requests as the gateway makes them. */
export interface Requests {
  send(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    headers: Headers,
    data?: unknown,
  ): Promise<InjectResponse>;
  /** A tender and the headers of its owner. */
  created(overrides?: Readonly<Record<string, unknown>>): Promise<{ readonly id: string; readonly owner: Headers }>;
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
      const { data, access } = answer.json();
      return { id: data.id, owner: signedIdentity({ tokenHash: sha256Hex(access.token) }) };
    },
  };
}
