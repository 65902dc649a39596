import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram, type Surroundings } from './program.ts';

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

  async function run(args: readonly string[], more: Partial<Surroundings> = {}) {
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

  it('prints help without an error', async () => {
    const { code, printed } = await run(['help', 'tender']);
    expect([code, printed]).toEqual([0, expect.stringContaining('watch [options] <id>')]);
  });
});
