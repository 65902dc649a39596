import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { basic, runningGateway, type RunningGateway } from '../../test-support/running-gateway.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN_ID = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE_ID}-${SPAN_ID}-01`;
const TENDER_PATH = '/api/2.5/tenders/7e1b5c2f0a9d4e638b5f1c2d3e4f5a6b';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await runningGateway();
});

afterAll(async () => {
  await gateway.close();
});

beforeEach(() => {
  gateway.tenders.received.length = 0;
  gateway.accessLog.length = 0;
  gateway.tenders.respond = (_received, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{}}');
  };
});

async function send(method: string, headers: Record<string, string>, path = TENDER_PATH) {
  const write = method === 'GET' ? {} : { body: '{"data":{}}', headers: { 'content-type': 'application/json' } };
  const response = await fetch(gateway.url + path, {
    method,
    ...write,
    headers: { ...write.headers, ...basic('broker1'), ...headers },
  });
  await response.text();
  return { response, received: gateway.tenders.received[0]?.headers };
}

describe.each(['GET', 'PATCH'])('%s behind the gateway', (method) => {
  it('carries the trace of the client under a span of the gateway', async () => {
    const { response, received } = await send(method, {
      traceparent: TRACEPARENT,
      tracestate: 'rojo=1,congo=t61rcWkgMzE',
    });
    expect(response.status).toBe(200);
    expect(received?.['traceparent']).toMatch(new RegExp(`^00-${TRACE_ID}-(?!${SPAN_ID})[0-9a-f]{16}-01$`));
    expect(received?.['tracestate']).toBe('rojo=1,congo=t61rcWkgMzE');
    expect(response.headers.get('traceparent')).toBeNull();
    expect(gateway.accessLog).toMatchObject([{ traceId: TRACE_ID }]);
  });

  it.each([
    ['without a trace', {}],
    ['with an invalid traceparent', { traceparent: `${TRACEPARENT}-extra`, tracestate: 'rojo=1' }],
  ])('begins a trace for a request %s', async (_case, headers) => {
    const { received } = await send(method, headers);
    const traceparent = received?.['traceparent'];
    expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(traceparent).not.toContain(TRACE_ID);
    expect(received).not.toHaveProperty('tracestate');
    expect(gateway.accessLog).toMatchObject([{ traceId: String(traceparent).split('-')[1] }]);
  });
});

// Reads of tenders travel together, and are answered by tenders alone: it asks no other service for them.
it.each([
  ['GET', `${TENDER_PATH}/questions`],
  ['PATCH', TENDER_PATH],
])('%s %s tells the service how long the gateway waits for the answer', async (method, path) => {
  const { received } = await send(method, { 'x-timeout-ms': '1' }, path);
  expect(received?.['x-timeout-ms']).toBe('30000');
});
