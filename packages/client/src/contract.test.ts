import { describe, expect, it } from 'vitest';
import { createClient, memoryTokens } from './client.ts';

const CONTRACT = 'a'.repeat(32);
const TENDER = 'b'.repeat(32);
const TRANSFER = 'c'.repeat(32);
const OLD = { token: 'old', transfer: 'secret' };
const MADE = { token: 'new', transfer: 'new secret' };

/** A client that holds tokens of a tender and of its contract, of a server that takes over as `ownership` answers. */
function makeClient(ownership: Response) {
  const sent: (readonly [string, string | null, unknown])[] = [];
  const tokens = memoryTokens({ [CONTRACT]: OLD, [TENDER]: { token: 'of the tender' } });
  const client = createClient({
    url: 'https://api.example.org',
    key: 'key',
    tokens,
    retry: { attemptsMax: 1 },
    async fetch(address, { method = '', headers, body }) {
      const path = new URL(address).pathname.replace('/api/2.5', '');
      const data: unknown = typeof body === 'string' ? JSON.parse(body).data : undefined;
      sent.push([`${method} ${path}`, new Headers(headers).get('x-access-token'), data]);
      if (path === '/transfers') return Response.json({ data: { id: TRANSFER }, access: MADE }, { status: 201 });
      return path.endsWith('/ownership') ? ownership : Response.json({ data: { id: CONTRACT } });
    },
  });
  return { contract: client.contract(CONTRACT), tokens, sent };
}

describe('a contract at its own address', () => {
  it('is written with its own token, and with that of its tender by `as`', async () => {
    const { contract, sent } = makeClient(Response.json({}));
    await contract.changes.create({ rationale: 'x', rationaleTypes: ['taxRate'] });
    await contract.change('g').patch({ status: 'active' }, { as: TENDER });
    await contract.transaction('1001').get();
    expect(sent.map(([request, token]) => [request, token])).toEqual([
      [`POST /contracts/${CONTRACT}/changes`, 'old'],
      [`PATCH /contracts/${CONTRACT}/changes/g`, 'of the tender'],
      [`GET /contracts/${CONTRACT}/transactions/1001`, 'old'],
    ]);
  });

  it('is taken over by a transfer, whose tokens are those of the contract then', async () => {
    const { contract, tokens, sent } = makeClient(Response.json({ data: { id: CONTRACT, owner: 'me' } }));
    expect(await contract.takeOver('secret')).toEqual({ id: CONTRACT, owner: 'me' });
    expect(sent).toEqual([
      ['POST /transfers', null, {}],
      [`POST /contracts/${CONTRACT}/ownership`, null, { id: TRANSFER, transfer: 'secret' }],
    ]);
    expect(await tokens.get(CONTRACT)).toEqual(MADE);
  });

  it('keeps its token when it is not taken over', async () => {
    const errors = [{ location: 'body', name: 'transfer', description: 'Invalid transfer' }];
    const { contract, tokens } = makeClient(Response.json({ status: 'error', errors }, { status: 403 }));
    await expect(contract.takeOver('wrong')).rejects.toMatchObject({ status: 403 });
    expect([await tokens.get(CONTRACT), await tokens.get(TRANSFER)]).toEqual([OLD, MADE]);
  });

  it('has the new tokens when nobody knows whether it was taken over', async () => {
    const { contract, tokens } = makeClient(Response.json({}, { status: 503 }));
    await expect(contract.takeOver('secret')).rejects.toMatchObject({ status: 503 });
    expect(await tokens.get(CONTRACT)).toEqual(MADE);
  });
});
