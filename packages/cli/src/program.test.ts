import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Profiles } from './profiles.ts';
import { runProgram, type CliEnvironment } from './program.ts';

const [T, A] = ['a'.repeat(32), 'b'.repeat(32)];

async function listening(server: Server): Promise<{ readonly server: Server; readonly url: string }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe cast: it listens on a port.
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('runProgram', () => {
  let server: Server;
  let url: string;
  const keys: (string | undefined)[] = [];

  // Answers with the status that the path names, for example /api/2.5/tenders/403.
  beforeAll(async () => {
    server = createServer(({ url: path = '', headers }, response) => {
      keys.push(headers['idempotency-key']?.toString());
      const status = Number(/\d{3}$/.exec(path)?.[0] ?? 501);
      const body = JSON.stringify({ status: 'error', errors: [{ location: 'body', name: 'x', description: 'no' }] });
      response.writeHead(status, { 'x-request-id': 'req-1' }).end(body);
    });
    ({ url } = await listening(server));
  });
  afterAll(() => server.close());

  async function run(args: readonly string[], more: Partial<CliEnvironment> = {}) {
    const notes: string[] = [];
    const printed: string[] = [];
    const code = await runProgram(args, {
      env: { PROCUREMENT_URL: url, PROCUREMENT_KEY: 'k', PROCUREMENT_CONFIG: '/nowhere' },
      signal: new AbortController().signal,
      readInput: async () => '{}',
      output: { print: (text) => printed.push(text), note: (text) => notes.push(text), progress: undefined },
      ...more,
    });
    return { code, notes: notes.join('\n'), printed: printed.join('\n') };
  }

  /** Runs a command on a server with one answer. */
  async function runOn(args: readonly string[], answer: object, env: Record<string, string> = {}) {
    const requests: string[] = [];
    const tokens: (string | undefined)[] = [];
    const answering = await listening(
      createServer((request, response) => {
        const { method = '', url: path = '', headers } = request;
        tokens.push(headers['x-access-token']?.toString());
        void readText(request).then((text) => {
          const { data, config } = text === '' ? {} : JSON.parse(text);
          const sent = [data, config].flatMap((part) => (part === undefined ? [] : JSON.stringify(part)));
          requests.push([method, path.replace('/api/2.5', ''), ...sent].join(' '));
          response.end(JSON.stringify(answer));
        });
      }),
    );
    const ended = await run(args, {
      env: { PROCUREMENT_URL: answering.url, PROCUREMENT_KEY: 'k', PROCUREMENT_CONFIG: '/nowhere', ...env },
      readInput: async () => '{"from": "stdin"}',
    });
    answering.server.close();
    return { ...ended, requests, tokens };
  }

  it.each([
    ['401', 3],
    ['403', 3],
    ['404', 4],
    ['410', 4],
    ['412', 1],
    ['415', 1],
    ['422', 5],
  ])('ends with the code of an answer: %s', async (status, code) => {
    const ended = await run(['tender', 'get', status]);
    expect(ended).toMatchObject({ code, printed: '' });
    expect(ended.notes).toContain('body.x: no\nrequest req-1');
  });

  it('names the members of a change that were ignored, and sends Prefer with --strict', async () => {
    const preferences: (string | undefined)[] = [];
    const patched = await listening(
      createServer(({ headers }, response) => {
        preferences.push(headers['prefer']?.toString());
        response.writeHead(200, { 'ignored-members': '/status, /value/amount' }).end('{"data":{"id":"x"}}');
      }),
    );
    const env = { PROCUREMENT_URL: patched.url, PROCUREMENT_KEY: 'k', PROCUREMENT_CONFIG: '/nowhere' };
    const ended = await run(['--json', 'send', 'PATCH', '/tenders/x', '-'], { env });
    expect(ended).toMatchObject({ code: 0, printed: '{"id":"x"}' });
    expect(ended.notes).toBe('ignored, because you may not change it now: /status, /value/amount');
    await run(['send', 'PATCH', '/tenders/x', '-', '--strict'], { env });
    expect(preferences).toEqual([undefined, 'handling=strict']);
    patched.server.close();
  });

  it('names the idempotency key with which a creation can be repeated', async () => {
    const interrupted = new AbortController();
    // Interrupted when its request has arrived, before any answer.
    const silent = await listening(createServer(() => interrupted.abort()));
    const broken = await run(['tender', 'create', '-'], {
      env: { PROCUREMENT_URL: silent.url, PROCUREMENT_KEY: 'k' },
      signal: interrupted.signal,
    });
    silent.server.close();
    expect(broken.notes).toMatch(/--idempotency-key [0-9a-f-]{36}/);
    keys.length = 0;
    await run(['tender', 'create', '-', '--idempotency-key', 'mine']);
    expect(keys).toEqual(['mine']);
  });

  it('ends with 130 when it is interrupted', async () => {
    const signal = AbortSignal.abort(new Error('SIGINT'));
    expect((await run(['tender', 'get', '404'], { signal })).code).toBe(130);
  });

  it.each([
    ['key', 'add', 'x', '--url', 'ftp://x'],
    ['tender', 'watch', 'x', '--poll', '0'],
    ['feed', 'follow', '--mode', 'all'],
    ['feed', 'follow', '--stream', '--expand'],
    ['--json', 'feed', 'follow', '--expand'],
    ['document', 'upload', 'x', 'package.json', '--to', 'lots/1'],
    ['send', 'FETCH', '/tenders'],
    ['completion', 'csh'],
    ['tender', 'get'],
    ['contract', 'get', ''],
    ['contract', 'terminate', 'x', '--paid', '1,5'],
    ['contract', 'change', 'x', '--rationale', 'y'],
  ])('refuses %s %s %s %s %s as wrong use', async (...args) => {
    expect((await run(args)).code).toBe(2);
  });

  it('prints whole tenders of the stream with --expand', async () => {
    const paths: string[] = [];
    const change = { type: 'tender.changed', position: '2.000000', tender: { title: 'Папір' } };
    const streaming = await listening(
      createServer(({ url: path = '' }, response) => {
        paths.push(path);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`id: 2.000000\ndata: ${JSON.stringify(change)}\n\n`);
      }),
    );
    const ending = new AbortController();
    const printed: string[] = [];
    const { code } = await run(['--json', 'feed', 'follow', '--stream', '--expand', '--after', '1'], {
      env: { PROCUREMENT_URL: streaming.url, PROCUREMENT_KEY: 'k' },
      signal: ending.signal,
      output: {
        print: (text) => {
          printed.push(text);
          ending.abort(new Error('SIGINT'));
        },
        note: () => undefined,
        progress: undefined,
      },
    });
    streaming.server.closeAllConnections();
    streaming.server.close();
    expect([code, printed]).toEqual([130, [JSON.stringify(change)]]);
    expect(new URL(paths[0] ?? '', url).searchParams.get('expand')).toBe('1');
  });

  it('prints help and the version without an error', async () => {
    const { code, printed } = await run(['help', 'tender']);
    expect([code, printed]).toEqual([0, expect.stringContaining('watch [options] <id>')]);
    const inner = await run(['help', 'tender', 'watch']);
    expect([inner.code, inner.printed]).toEqual([0, expect.stringContaining('--poll <seconds>')]);
    expect((await run(['help', 'tender', 'wash'])).code).toBe(2);
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
    expect(await run(['--version'])).toMatchObject({ code: 0, printed: version });
  });

  it.each([
    [['{\n  "title": "x",\n  "value": {,}\n}'], 'tender.json is not JSON: line 3, column 13'],
    [['{"title": "x"'], 'line 1, column 14'],
    [['{"title": // comment\n"x"}'], 'line 1, column 11'],
    [[''], 'tender.json is not JSON: line 1, column 1'],
  ])('names the place of the fault in a body that is no JSON: %j', async ([text = ''], place) => {
    const ended = await run(['tender', 'create', 'tender.json'], { readInput: async () => text });
    expect(ended).toMatchObject({ code: 2, printed: '', notes: expect.stringContaining(place) });
  });

  it('prints errors as JSON with --json: those of the API, of the input and of the command', async () => {
    const refused = await run(['--json', 'tender', 'get', '422']);
    expect(JSON.parse(refused.notes)).toEqual({
      error: {
        exitCode: 5,
        message: 'GET /api/2.5/tenders/422 answered 422: body.x: no',
        status: 422,
        errors: [{ location: 'body', name: 'x', description: 'no' }],
        faults: [{ path: 'body.x', text: 'no' }],
        requestId: 'req-1',
      },
    });
    const wrong = { exitCode: 2, message: expect.any(String) };
    for (const args of [
      ['tender', 'create', 'x'],
      ['tenders'],
      ['tender', 'get'],
      ['feed', 'follow', '--mode', 'x'],
      ['tender'],
    ]) {
      const ended = await run([...args, '--json'], { readInput: async () => 'x' });
      expect([ended.code, ended.printed, JSON.parse(ended.notes)]).toEqual([2, '', { error: wrong }]);
    }
  });

  it.each([
    [['question', 'list', T], `GET /tenders/${T}/questions`],
    [
      ['tender', 'create', '{"config": {"hasAuction": false}, "data": {"title": "Cans"}}'],
      'POST /tenders {"title":"Cans"} {"hasAuction":false}',
    ],
    [['question', 'create', T, '{"data": {"title": "Cans"}}'], `POST /tenders/${T}/questions {"title":"Cans"}`],
    [['award', 'change', T, A, '{"status": "active"}'], `PATCH /tenders/${T}/awards/${A} {"status":"active"}`],
    [['contract', 'list', T], `GET /tenders/${T}/contracts`],
    [['contract', 'get', A], `GET /contracts/${A}`],
    [['complaint', 'create', T, '-'], `POST /tenders/${T}/complaints {"from":"stdin"}`],
    [['complaint', 'list', T, '--award', A], `GET /tenders/${T}/awards/${A}/complaints`],
    [['bid', 'delete', T, A], `DELETE /tenders/${T}/bids/${A}`],
    [['webhook', 'list'], 'GET /webhooks'],
    [['webhook', 'test', A], `POST /webhooks/${A}/test {}`],
    [['webhook', 'redeliver', A, '{"from": "1.0"}'], `POST /webhooks/${A}/redeliver {"from":"1.0"}`],
    [['tender', 'change', '../webhooks', '{}'], 'PATCH /tenders/..%2Fwebhooks {}'],
    [
      ['search', 'white', 'paint', '--amount-from', '5', '--mode', 'test'],
      'GET /search?q=white+paint&amountFrom=5&mode=test',
    ],
  ])('makes one request of a command: %j', async (args, request) => {
    const { requests, ...ended } = await runOn(args, { data: [] });
    expect([ended.code, requests]).toEqual([0, [request]]);
  });

  it('sends the token of the tender for a contract of it, also when the contract has one of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'program-'));
    for (const id of [T, A])
      await new Profiles({ PROCUREMENT_CONFIG: folder }).tokens('environment').set(id, { token: id });
    const args = ['send', 'PATCH', `/tenders/${T}/contracts/${A}`, '{}'];
    const { tokens } = await runOn(args, { data: { id: A } }, { PROCUREMENT_CONFIG: folder });
    const award = await runOn(['award', 'change', T, A, '{}'], { data: { id: A } }, { PROCUREMENT_CONFIG: folder });
    rmSync(folder, { recursive: true });
    expect([tokens, award.tokens]).toEqual([[T], [A]]);
  });

  const side = '{"name":"x","bankAccount":{"scheme":"IBAN","id":"1"}}';
  it.each([
    [['patch', A, '{"data": {"status": "active"}}'], 'PATCH', '', '{"status":"active"}'],
    [
      'change --rationale x --rationale-en y --type taxRate thirdParty --number 1'.split(' ').toSpliced(1, 0, A),
      'POST',
      '/changes',
      '{"rationale":"x","rationale_en":"y","rationaleTypes":["taxRate","thirdParty"],"contractNumber":"1"}',
    ],
    [['change-activate', A, 'g'], 'PATCH', '/changes/g', '{"status":"active"}'],
    [
      ['change-activate', A, 'g', '--date-signed', '2026-05-12'],
      'PATCH',
      '/changes/g',
      '{"status":"active","dateSigned":"2026-05-12"}',
    ],
    [['pay', A, 'n/1', `{"payer":${side}}`], 'PUT', '/transactions/n%2F1', `{"payer":${side}}`],
    [['terminate', A], 'PATCH', '', '{"status":"terminated"}'],
    [
      ['terminate', A, '--paid', '395.2', '--paid-net', '329.34', '--details', 'x'],
      'PATCH',
      '',
      '{"status":"terminated","amountPaid":{"amount":395.2,"amountNet":329.34},"terminationDetails":"x"}',
    ],
  ])(
    'writes a contract at its own address, with its token, or that of its tender while it has none: %j',
    async (args, method, path, data) => {
      const folder = mkdtempSync(join(tmpdir(), 'program-'));
      const env = { PROCUREMENT_CONFIG: folder };
      const answer = { data: { id: A, tender_id: T } };
      const tokens = new Profiles(env).tokens('environment');
      await tokens.set(T, { token: 'of the tender' });
      const first = await runOn(['contract', ...args], answer, env);
      await tokens.set(A, { token: 'own' });
      const second = await runOn(['contract', ...args], answer, env);
      rmSync(folder, { recursive: true });
      const request = `${method} /contracts/${A}${path} ${data}`;
      expect([first.requests, first.tokens.at(-1)]).toEqual([[`GET /contracts/${A}`, request], 'of the tender']);
      expect([second.code, second.requests, second.tokens]).toEqual([0, [request], ['own']]);
    },
  );

  it.each(
    [
      ['change-activate', A, ''],
      ['pay', A, '', '{"payer":{}}'],
      ['credentials', ''],
      ['take-over', ''],
      ['upload', '', 'a.txt'],
    ].map((args) => [args]),
  )('refuses an argument without a value, as of a shell variable that is not set: %j', async (args) => {
    const { code, requests, notes } = await runOn(['contract', ...args], { data: { id: A, tender_id: T } }, {});
    expect([code, requests]).toEqual([2, []]);
    expect(notes).toContain('is empty');
  });

  it('keeps the token of a contract that is exchanged for that of its tender, or is taken over', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'program-'));
    const env = { PROCUREMENT_CONFIG: folder };
    const tokens = new Profiles(env).tokens('environment');
    await tokens.set(T, { token: 'of the tender' });
    const access = { token: 'own', transfer: 'secret' };
    const exchanged = await runOn(['contract', 'credentials', A], { data: { id: A, tender_id: T }, access }, env);
    expect(exchanged.requests.at(-1)).toBe(`PATCH /contracts/${A}/credentials {}`);
    expect([exchanged.tokens.at(-1), tokens.get(A)]).toEqual(['of the tender', access]);
    const made = { token: 'new', transfer: 'new secret' };
    const taken = await runOn(['contract', 'take-over', A], { data: { id: T, owner: 'me' }, access: made }, env);
    expect(taken.requests).toEqual([
      'POST /transfers {}',
      `POST /contracts/${A}/ownership {"id":"${T}","transfer":"{\\"from\\": \\"stdin\\"}"}`,
    ]);
    expect([taken.tokens, tokens.get(A)]).toEqual([[undefined, undefined], made]);
    expect(exchanged.printed + taken.printed).not.toMatch(/secret|own\b|new/);
    rmSync(folder, { recursive: true });
  });

  it('prints objects as a table without empty columns, as JSON and as ids', async () => {
    const answer = {
      data: [
        { id: A, status: 'pending', value: { amount: 5 } },
        { id: T, status: 'active' },
      ],
    };
    const table = await runOn(['award', 'list', T], answer);
    expect(table.printed).toBe(`${'id'.padEnd(32)}  status   value.amount\n${A}  pending  5\n${T}  active`);
    expect((await runOn(['award', 'list', T, '--quiet'], answer)).printed).toBe(`${A}\n${T}`);
    const json = await runOn(['award', 'list', T, '--json'], answer);
    expect(json.printed.split('\n').map((line) => JSON.parse(line))).toEqual(answer.data);
  });

  it.each([
    [['award', 'list', T], 'There are no awards.'],
    [['webhook', 'dead-letters', A], 'There are no dead-letters.'],
    [['search', 'paint'], 'No tender matches. Test tenders are left out: --mode _all_ shows them.'],
    [['export', 'list'], 'There are no exports.'],
    [['feed', 'follow', '--once'], 'No tender has changed.'],
    [['contracts', 'follow', '--once'], 'No contract has changed.'],
  ])('says that a list is empty, to people only: %j', async (args, text) => {
    const answer = { data: [], next_page: { offset: '1', path: '/x', uri: '/x' } };
    const { next_page: _next, ...lastPage } = answer;
    const sent = args[0] === 'feed' ? answer : lastPage;
    expect(await runOn(args, sent)).toMatchObject({ code: 0, printed: '', notes: text });
    expect(await runOn([...args, '--json'], sent)).toMatchObject({ code: 0, printed: '', notes: '' });
  });
});
