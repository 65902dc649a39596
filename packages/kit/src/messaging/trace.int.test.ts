import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { freshBus, type TestBus } from '@procurement/testing/bus';
import { freshDatabase, type TestDatabase } from '@procurement/testing/database';
import { waitFor } from '@procurement/testing/wait-for';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIdentity, verifyTestIdentity } from '@procurement/testing/identity';
import { buildServer, sendJson } from '../http/server.ts';
import { makeActiveTraces } from '../runtime/active-traces.ts';
import { secureIds } from '../runtime/ids.ts';
import { makeLog } from '../runtime/log.ts';
import { makeMetrics } from '../runtime/metrics.ts';
import { startTracing } from '../runtime/otel.ts';
import { recordSpansWith } from '../runtime/spans.ts';
import { parseTraceContext, type TraceContext } from '../runtime/trace-context.ts';
import { makeAppliedAcks } from './applied-acks.ts';
import { openBus, type Bus } from './bus.ts';
import { startConsumer } from './repair/start-consumer.ts';
import { makeOutbox, type Outbox } from './publish/outbox.ts';
import { startRelay } from './publish/relay.ts';
import { respondTo, sendRequest } from './request/request.ts';
import { transact } from '../database/transaction.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
// As the gateway sends it.
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
const log = makeLog('test', 'silent' as 'fatal');
const traces = makeActiveTraces();
const stops: (() => Promise<unknown>)[] = [];

let testBus: TestBus;
let bus: Bus;

beforeAll(async () => {
  testBus = await freshBus();
  bus = await openBus(testBus.url, 'test', log);
});

afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
  await bus.close();
  await testBus.stop();
});

interface Exported {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly status: { readonly code: number };
  readonly traceState?: string;
  readonly flags: number;
}

/** The flag of OTLP of a span whose parent is of another process. */
const PARENT_IS_REMOTE = 0x200;

/** A receiver of OTLP, and the spans that it has received. */
async function startReceiver(): Promise<{ readonly endpoint: string; readonly spans: Exported[]; stop(): void }> {
  const spans: Exported[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { resourceSpans } = body as {
        readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Exported[] }[] }[];
      };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  return { endpoint: `http://127.0.0.1:${port}`, spans, stop: () => server.close() };
}

interface TestService {
  readonly database: TestDatabase;
  readonly outbox: Outbox;
}

/** Database, outbox and relay of one service, with the stream of its name. */
async function startTestService(name: string): Promise<TestService> {
  const database = await freshDatabase('awards');
  const { url: databaseUrl, pool } = database;
  const stream = { name, subjects: [`${name}.>`] };
  const metrics = makeMetrics(name);
  const relay = startRelay({ service: name, stream, streamReplicas: 1, databaseUrl, pool, bus, log, metrics });
  stops.push(
    async () => database.drop(),
    async () => relay.stop(),
  );
  const appliedAcks = makeAppliedAcks(bus, secureIds.next());
  return { database, outbox: makeOutbox({ stream: name, ids: secureIds, appliedAcks, traces, wake: relay.wake }) };
}

/** A server whose POST stores an event in the outbox of the service. */
async function listen(service: TestService, onRequest: (trace: TraceContext) => void): Promise<string> {
  const app = buildServer({
    log,
    metrics: makeMetrics('test'),
    verifyIdentity: verifyTestIdentity,
    bodyBytesMax: 10,
    traces,
    readiness: async () => ({ ready: true, checks: {} }),
  });
  app.post('/things/:id', async (request, reply) => {
    onRequest(request.trace);
    await transact(service.database.pool, async (tx) =>
      service.outbox.append(tx, [service.outbox.row(buildEvent('thing.changed', 'a', request.id))]),
    );
    service.outbox.wake();
    return sendJson(reply, 200, '{}');
  });
  stops.push(async () => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

const buildEvent = (type: string, subjectId: string, correlationId: string) => ({
  type,
  schema: `${type}/1`,
  subjectId,
  version: 1,
  time: '2026-05-04T10:15:00+03:00',
  data: {},
  correlationId,
});

/** Applies the events of a stream with `apply`, and collects them. */
function consume(service: TestService, from: string, apply?: (event: Envelope) => void): Envelope[] {
  const received: Envelope[] = [];
  const { pool } = service.database;
  const consumer = startConsumer(
    {
      stream: { name: from, subjects: [`${from}.>`] },
      durable: `${from}--test`,
      filter: `${from}.*.*`,
      apply: async (tx, events) => {
        received.push(...events);
        for (const event of events) {
          if (apply === undefined) continue;
          apply(event);
          const followUp = buildEvent('other.changed', event.subject, event.correlationid);
          await service.outbox.append(tx, [service.outbox.row(followUp)]);
        }
      },
    },
    {
      pool,
      bus,
      log,
      metrics: makeMetrics('test'),
      traces,
      beforeTransaction: () => service.outbox.wakeIfRowsAdded(),
    },
  );
  stops.push(async () => consumer.stop());
  return received;
}

describe('a trace', () => {
  it('goes from a request to its event and to the follow-up event of another service', async () => {
    const [first, second] = [await startTestService('things'), await startTestService('others')];
    let span: TraceContext | undefined;
    const url = await listen(first, (trace) => (span = trace));
    const events = consume(second, 'things', () => undefined);
    const followUps = consume(first, 'others');

    const headers = { ...signedIdentity(), 'x-request-id': 'req-1' };
    const sent = { ...headers, traceparent: TRACEPARENT, tracestate: 'rojo=1' };
    expect((await fetch(`${url}/things/a`, { method: 'POST', headers: sent })).status).toBe(200);
    await waitFor(() => followUps.length === 1, { what: 'the follow-up event' });

    const contexts = [...events, ...followUps].map((event) => parseTraceContext(event));
    expect(contexts).toMatchObject([1, 2].map(() => ({ traceId: TRACE_ID, sampled: true, state: 'rojo=1' })));
    expect(contexts[0]).toEqual(span);
    // A span for the gateway, one for each service.
    const spanIds = ['00f067aa0ba902b7', ...contexts.map((context) => context?.spanId)];
    expect(new Set(spanIds).size).toBe(3);
    expect([...events, ...followUps].map(({ correlationid }) => correlationid)).toEqual(['req-1', 'req-1']);
  });

  it('begins with an event that no request caused', async () => {
    const { outbox } = await startTestService('timed');
    const traceIds = ['a', 'b'].map((subject) => {
      const { envelope } = outbox.row(buildEvent('timed.out', subject, 'clock'));
      return parseTraceContext(JSON.parse(envelope))?.traceId;
    });
    expect(new Set(traceIds).size).toBe(2);
    expect(traceIds).not.toContain(undefined);
  });

  it('goes with a request over NATS', async () => {
    const received: TraceContext[] = [];
    respondTo(bus, 'ask.traced', log, async (_request, trace) => void received.push(trace));
    const trace = parseTraceContext({ traceparent: TRACEPARENT, tracestate: 'rojo=1' });
    expect((await sendRequest(bus, 'ask.traced', { id: 'a' }, 60_000, trace)).kind).toBe('answer');
    expect((await sendRequest(bus, 'ask.traced', { id: 'a' }, 60_000)).kind).toBe('answer');
    expect(received[0]).toEqual({ ...trace, spanId: expect.not.stringMatching('00f067aa0ba902b7') });
    expect(received[1]?.traceId).not.toBe(TRACE_ID);
  });
});

describe('tracing that is switched on', () => {
  it('exports a request, its statements, and its events up to the service that applies them, as one tree', async () => {
    const receiver = await startReceiver();
    const tracing = startTracing({ service: 'test', endpoint: receiver.endpoint, ratio: 1, log, exportMsMax: 60_000 });
    recordSpansWith(tracing);
    stops.push(async () => {
      recordSpansWith(undefined);
      receiver.stop();
    });
    const [first, second] = [await startTestService('goods'), await startTestService('takers')];
    const url = await listen(first, () => undefined);
    const events = consume(second, 'goods', () => undefined);
    const stopConsumer = stops.pop();
    const probe = await fetch(`${url}/live`);
    expect(probe.status).toBe(200);
    const trace = { traceparent: TRACEPARENT, tracestate: 'rojo=1' };
    const headers = { ...signedIdentity(), 'x-request-id': 'req-2', ...trace };
    await fetch(`${url}/things/a?acc_token=secret-of-a-client`, { method: 'POST', headers, body: '{}' });
    await fetch(`${url}/things/a`, {
      method: 'POST',
      headers: { ...headers, traceparent: TRACEPARENT.replace(/01$/, '00') },
    });
    await waitFor(() => events.length === 2, { what: 'the events' });
    // The span of a publication ends before the row is marked, which may come after the event was applied.
    const unsent = 'SELECT FROM kit.outbox WHERE sent_at IS NULL';
    await waitFor(async () => (await first.database.pool.query(unsent)).rowCount === 0, { what: 'the marks' });
    // Their spans end after the commit.
    await stopConsumer?.();
    await tracing.stop();

    const paths = receiver.spans.map((span) => formatPath(span, receiver.spans));
    const request = 'POST /things/:id';
    expect(new Set(paths)).toEqual(
      new Set([
        request,
        `${request} > BEGIN`,
        `${request} > outbox-append`,
        `${request} > COMMIT`,
        `${request} > publish goods.thing-changed`,
        `${request} > apply thing.changed`,
        ...paths.filter((path) => path.startsWith(`${request} > apply thing.changed > `)),
      ]),
    );
    expect(paths).toContain(`${request} > apply thing.changed > COMMIT`);
    // The second request is not sampled; probes are no requests of clients.
    expect(paths.filter((path) => path === request)).toHaveLength(1);
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
    // The relay reads no state from the text of an event.
    const withState = receiver.spans.filter(({ name }) => !name.startsWith('publish'));
    expect(new Set(withState.map(({ traceState }) => traceState))).toEqual(new Set(['rojo=1']));
    const entries = receiver.spans.filter(({ flags }) => (flags & PARENT_IS_REMOTE) !== 0).map(({ name }) => name);
    expect(entries).toContain(request);
    // What a process sends, as a statement, stands below a span of its own.
    expect(entries.filter((name) => !/^(?:POST|publish|apply) /.test(name))).toEqual([]);
    expect(JSON.stringify(receiver.spans)).not.toContain('secret-of-a-client');
  });
});

/** The names from the root to a span. */
function formatPath({ name, parentSpanId }: Exported, spans: readonly Exported[]): string {
  const parent = spans.find(({ spanId }) => spanId === parentSpanId);
  return parent === undefined ? name : `${formatPath(parent, spans)} > ${name}`;
}
