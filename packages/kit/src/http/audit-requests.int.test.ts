import { Writable } from 'node:stream';
import { problem } from '@procurement/contracts/problems/problems';
import type { RouteContract } from '@procurement/contracts/api/route';
import { readAudit } from '@procurement/testing/audit';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { anonymousIdentity, signedIdentity, verifyTestIdentity } from '@procurement/testing/identity';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendAudit } from '../database/audit.ts';
import { transact } from '../database/transaction.ts';
import { sha256Hex } from '../runtime/ids.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { mountContracts, type Handler } from './mount.ts';
import { ProblemError } from '../runtime/problem-error.ts';
import { buildServer, sendJson } from './server.ts';

const root = signedIdentity({ broker: 'root', group: 'Administrator' });
const broker = signedIdentity();

function contract(method: 'GET' | 'PATCH', path: string, sealed?: true): RouteContract {
  const texts = { summary: '', description: '', spore: '' };
  return {
    name: path,
    method,
    path,
    owner: 'bids',
    segments: ['2.5'],
    responses: {},
    ...texts,
    ...(sealed && { sealed }),
  };
}

let database: TestDatabase;
let app: FastifyInstance;
const lines: string[] = [];

function serve(pool: pg.Pool): FastifyInstance {
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => (lines.push(String(chunk)), done()) });
  const server = buildServer({
    log: pino({ level: 'error' }, stream),
    metrics: makeMetrics('test'),
    verifyIdentity: verifyTestIdentity,
    bodyBytesMax: 1_000,
    auditPool: pool,
    readiness: async () => ({ ready: true, checks: {} }),
  });
  const answer: Handler = async (_request, reply) => sendJson(reply, 200, '{"data":{}}');
  const change: Handler = async (request, reply) => {
    await transact(pool, async (tx) => {
      const { audit } = request;
      if (audit !== undefined) await appendAudit(tx, audit, { id: 'x', before: 'old', after: 'new' });
      if (request.headers['x-fail'] !== undefined) throw new ProblemError(problem('object.conflict'));
    });
    return sendJson(reply, 200, '{"data":{}}');
  };
  const refuse: Handler = async () => {
    throw new ProblemError(problem('request.forbidden'));
  };
  mountContracts(
    server,
    {
      open: contract('GET', '/open/:id'),
      sealed: contract('GET', '/sealed/:id', true),
      change: contract('PATCH', '/changed/:id'),
      same: contract('PATCH', '/same/:id'),
      refused: contract('PATCH', '/refused/:id'),
    },
    { open: answer, sealed: answer, change, same: answer, refused: refuse },
    async () => undefined,
  );
  return server;
}

beforeAll(async () => {
  database = await freshDatabase('bids');
  app = serve(database.pool);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const send = async (method: 'GET' | 'PATCH', url: string, headers: Record<string, string>, to = app) =>
  to.inject({ method, url, headers });

describe('the record of requests', () => {
  it.each([
    ['GET', '/sealed', 200, 'read'],
    ['PATCH', '/same', 200, 'answered'],
    ['PATCH', '/refused', 403, 'refused'],
    ['PATCH', '/sealed', 405, 'refused'],
  ] as const)('%s %s, %d: %s, with who, what, when and the request', async (method, path, status, outcome) => {
    const id = `${outcome}-${status}`;
    const before = Date.now();
    const answer = await send(method, `${path}/${id}`, { ...root, 'x-request-id': `req-${id}` });
    expect(answer.statusCode).toBe(status);
    const [row, ...others] = await readAudit(database.pool, id);
    expect([row, others]).toMatchObject([
      {
        actor: 'root',
        group: 'Administrator',
        method,
        route: `${path}/:id`,
        objects: JSON.stringify({ id }),
        requestId: `req-${id}`,
        outcome,
        status,
        beforeHash: null,
        afterHash: null,
      },
      [],
    ]);
    expect(Math.abs((row?.at.getTime() ?? 0) - before)).toBeLessThan(60_000);
  });

  it('has the hashes of a change, once, in the row of its transaction', async () => {
    expect((await send('PATCH', '/changed/one', root)).statusCode).toBe(200);
    expect(await readAudit(database.pool, '"one"')).toMatchObject([
      { outcome: 'changed', status: null, beforeHash: sha256Hex('old'), afterHash: sha256Hex('new') },
    ]);
  });

  it('says refused when the transaction was rolled back', async () => {
    expect((await send('PATCH', '/changed/two', { ...root, 'x-fail': 'yes' })).statusCode).toBe(409);
    expect(await readAudit(database.pool, '"two"')).toMatchObject([
      { outcome: 'refused', status: 409, afterHash: null },
    ]);
  });

  it('has nothing of brokers, of strangers, and of reads of public objects', async () => {
    for (const path of ['/open/q', '/sealed/q'])
      for (const one of [broker, anonymousIdentity()]) await send('GET', path, one);
    for (const path of ['/changed/q', '/refused/q']) await send('PATCH', path, broker);
    await send('GET', '/open/q', root);
    expect(await readAudit(database.pool, '"q"')).toEqual([]);
  });

  it('takes ids of any content', async () => {
    await send('PATCH', `/same/${'%00'}${'x'.repeat(5_000)}`, root);
    expect((await readAudit(database.pool, 'xxxxx'))[0]?.objects.length).toBeLessThan(200);
  });

  it('is logged, one line for each row, also at the level of errors', async () => {
    await send('PATCH', '/changed/logged', root);
    const found = lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit?.objects.includes('logged'));
    expect(found).toMatchObject([{ msg: 'audit', status: 200, audit: { actor: 'root', afterHash: sha256Hex('new') } }]);
  });

  it('is append-only', async () => {
    for (const sql of ["UPDATE kit.audit SET actor = 'x'", 'DELETE FROM kit.audit', 'TRUNCATE kit.audit']) {
      await expect(database.pool.query(sql)).rejects.toThrow('append-only');
    }
  });

  it('cannot be written: answers are replaced by 503, refusals are sent', async () => {
    const away = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
    const server = serve(away);
    for (const path of ['/same/away', '/sealed/away']) {
      const answer = await send(path.startsWith('/same') ? 'PATCH' : 'GET', path, root, server);
      expect([answer.statusCode, answer.headers['retry-after'], answer.json().status]).toEqual([503, '5', 'error']);
    }
    expect((await send('PATCH', '/refused/away', root, server)).statusCode).toBe(403);
    expect((await send('GET', '/sealed/away', broker, server)).statusCode).toBe(200);
    await Promise.all([server.close(), away.end()]);
  });
});
