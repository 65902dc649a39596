import type { Fetch } from '@procurement/client';
import { describe, expect, it } from 'vitest';
import { formatCurl, makeRecorder, SandboxLostError, type Recorder } from './exchanges.ts';

const SANDBOX = { 'x-sandbox': '1' };

interface Sent {
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A recorder before an API that gives these answers one after the other. */
function recorderWith(answers: readonly (Response | Error)[]): { readonly recorder: Recorder; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch: Fetch = async (address, init) => {
    // The recorder sends headers as an object.
    sent.push({ method: init.method ?? 'GET', address, headers: init.headers as Sent['headers'] });
    const answer = answers[sent.length - 1] ?? new Error('no more answers');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const recorder = makeRecorder({
    apiUrl: 'http://api',
    fetch,
    monotonicMs: () => 0,
    pause: async () => undefined,
    visitor: '192.0.2.1',
    requestId: 'r-1',
    idempotencyKey: (n) => `run-1-${n}`,
  });
  return { recorder, sent };
}

const answer = (data: unknown, headers: Readonly<Record<string, string>> = SANDBOX, status = 200): Response =>
  Response.json({ data }, { status, headers });

describe('makeRecorder', () => {
  it('records what was sent and answered, and passes the address of the visitor on', async () => {
    const { recorder, sent } = recorderWith([answer({ id: 'x' }, SANDBOX, 201)]);
    await recorder.clients.seller1.tender('t').questions.create({ title: 'a' } as never);
    expect(recorder.exchanges).toMatchObject([
      {
        player: 'seller1',
        method: 'POST',
        path: '/api/2.5/tenders/t/questions',
        status: 201,
        body: expect.any(String),
      },
    ]);
    expect(sent[0]?.headers).toMatchObject({ authorization: 'Bearer broker2', 'x-forwarded-for': '192.0.2.1' });
    expect(recorder.exchanges[0]?.headers).not.toHaveProperty('x-forwarded-for');
  });

  it('gives a repeated attempt the key of the first, and the next POST another one', async () => {
    const { recorder, sent } = recorderWith([answer({}, SANDBOX, 503), answer({ id: 'x' }), answer({ id: 'y' })]);
    const { questions } = recorder.clients.seller1.tender('t');
    await questions.create({ title: 'a' } as never);
    await questions.create({ title: 'b' } as never);
    expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['run-1-1', 'run-1-1', 'run-1-2']);
  });

  it('sends nothing more after the first answer without X-Sandbox', async () => {
    const { recorder, sent } = recorderWith([answer({ id: 'x' }, {}), answer({ id: 'y' })]);
    await expect(recorder.clients.buyer.moveClock('t', { to: 'next_check' })).rejects.toThrow(SandboxLostError);
    await expect(recorder.clients.auction.tender('t').get()).rejects.toThrow(SandboxLostError);
    expect([sent.length, recorder.isSandboxLost()]).toEqual([1, true]);
  });

  it.each([
    ['has no X-Sandbox', Response.json({ sandbox: true })],
    ['says false', Response.json({ sandbox: false }, { headers: SANDBOX })],
    ['says nothing', Response.json({}, { headers: SANDBOX })],
  ])('is lost when /health %s', async (_what, health) => {
    const { recorder } = recorderWith([health]);
    await expect(recorder.requireSandbox()).rejects.toThrow(SandboxLostError);
    expect(recorder.isSandboxLost()).toBe(true);
  });
});

describe('formatCurl', () => {
  const exchange = {
    player: 'buyer',
    method: 'PATCH',
    path: '/api/2.5/tenders/t',
    headers: { 'content-type': 'application/json' },
    body: '{"data":{"title":"It\'s"}}',
    status: 200,
    answerHeaders: {},
    answer: '',
    ms: 1,
  } as const;

  it('is a command that a shell reads as one request, at the public address', () => {
    expect(formatCurl(exchange, 'http://public')).toBe(
      `curl -X PATCH 'http://public/api/2.5/tenders/t' \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  "data": {\n    "title": "It'\\''s"\n  }\n}'`,
    );
  });
});
