import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { waitFor } from '@procurement/testing/wait-for';
import { clientFrom, patientBroker } from '../../test/support/broker.ts';
import { PATIENCE } from '../../test/support/patience.ts';
import { publish, TENDERER } from '../../test/support/published-tender.ts';
import { minimalTender } from '../../test/support/request-bodies.ts';
import { moveToNextCheck } from '../../test/support/sandbox.ts';
import { serviceCommand } from '../../test/support/service-command.ts';

interface Attributes {
  readonly attributes?: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}
interface Span extends Attributes {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly name: string;
}
/** A line of the collector. */
interface Received {
  readonly resourceSpans: readonly {
    readonly resource: Attributes;
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const HTTP = 'http.request.method http.response.status_code http.route';
const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
/** Kind, name and attributes that a span may have (decision 0047). Parts of a route are shorter than ids. */
const FORMS = [
  `server [A-Z]+ (/:?[\\w.]{1,31})+: ${HTTP} (procurement.broker )?procurement.request_id`,
  '(server respond|client request) [a-z.-]+: ',
  'client [\\w-]+: db.system.name',
  'producer publish [a-z.-]+: messaging.message.id messaging.system',
  'consumer apply [a-z.-]+: messaging.message.id messaging.system procurement.durable procurement.subject',
];
const FORM = new RegExp(`^service.name=[a-z]+ service.namespace=procurement (${FORMS.join('|')})$`);

/** Trace and span of a client. It does not record them, which is not for it to say. */
const SENT = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';
/** What two requests must cause: spans, each with those above it. */
const CHAINS = [
  ...chainsOf('tenders', ['auction', 'awards', 'bids', 'documents'], `gateway server < ${SENT}`),
  ...chainsOf('bids', ['awards', 'documents'], 'gateway server'),
];
const KEY = 'key-of-a-broker';
const AMOUNT = 387.65;

function chainsOf(service: string, followers: readonly string[], gateway: string): readonly string[] {
  const spans = [`${service} client`, `${service} producer`, ...followers.map((follower) => `${follower} consumer`)];
  return spans.map((span) => `${span} < ${service} server < ${gateway}`);
}

/** A system of its own sends its spans to the collector. Throws when they are not as decision 0047 says. */
export async function sendSpans(collector: string): Promise<void> {
  const address = `127.0.0.1:${await freePort()}`;
  const program = spawn(collector, [address], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(program, 'exit');
  const lines: string[] = [];
  createInterface({ input: program.stdout }).on('line', (line) => lines.push(line));
  try {
    await waitFor(async () => fetch(`http://${address}/v1/traces`), { what: 'the collector' });
    const env = { ...PATIENCE, OTEL_EXPORTER_OTLP_ENDPOINT: `http://${address}` };
    const stack = await startStack({ durable: false, env });
    try {
      const secrets = await play(stack);
      const count = await waitFor(() => checkSpans(lines, secrets), { what: 'the spans' });
      console.log(`${count} spans received`);
    } finally {
      await stack.stop();
    }
  } finally {
    program.kill();
    await ended;
  }
}

/** Publishes a tender and bids. Answers what no span may contain. */
async function play(stack: Stack): Promise<readonly string[]> {
  await serviceCommand(stack, 'gateway', 'brokers', 'add', 'broker', '--levels', '1234', '--key', KEY);
  const client = patientBroker(stack.gatewayUrl, KEY, '2.5');
  const traced = clientFrom(async (method, path, options) =>
    client.request(method, path, { ...options, headers: { traceparent: `00-${SENT}-00` } }),
  );
  const tender = await publish(traced, minimalTender());
  await moveToNextCheck(client, tender.id);
  const offer = { tenderers: [TENDERER], value: { amount: AMOUNT } };
  const bid = await client.post(`${tender.path}/bids`, offer);
  if (bid.status !== 201) throw new Error(`no bid: ${bid.text}`);
  const credentials = [KEY, Buffer.from(`${KEY}:`).toString('base64'), tender.token, bid.body.access.token];
  return [...credentials, String(AMOUNT), TENDERER.name];
}

/** Answers how many spans there are. Throws while one is missing, and when one should not be. */
function checkSpans(lines: readonly string[], secrets: readonly string[]): number {
  const spans = lines.flatMap(readSpans);
  const strange = spans.find(({ form }) => !FORM.test(form));
  if (strange !== undefined) throw new Error(`a span has another form: ${strange.form}`);
  const secret = secrets.find((text) => lines.some((line) => line.includes(text)));
  if (secret !== undefined) throw new Error(`spans contain the secret ${secret}`);
  const known = new Map(spans.map((span) => [span.id, span]));
  const chainTo = (id: string): string => {
    const { label, parent } = known.get(id) ?? { label: id };
    return parent === undefined ? label : `${label} < ${chainTo(parent)}`;
  };
  const chains = new Set(spans.map(({ id }) => chainTo(id)));
  const missing = CHAINS.filter((chain) => !chains.has(chain));
  const torn = [...chains].filter((chain) => /-[\da-f]{16}$/.test(chain) && !chain.endsWith(SENT));
  if (missing.length + torn.length === 0) return spans.length;
  throw new Error(`missing: ${missing.join(', ')}; without parent: ${torn.join(', ')}; all: ${[...chains].join(', ')}`);
}

function readSpans(line: string) {
  // Safe cast: OTLP in JSON has this form.
  const { resourceSpans } = JSON.parse(line) as Received;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => describeSpan(span, resource))),
  );
}

function describeSpan(span: Span, resource: Attributes) {
  const { traceId, spanId, parentSpanId, kind, name, attributes = [] } = span;
  const origin = (resource.attributes ?? []).map(({ key, value }) => `${key}=${value.stringValue}`).join(' ');
  const keys = attributes.map(({ key }) => key).toSorted();
  return {
    id: `${traceId}-${spanId}`,
    parent: parentSpanId === undefined ? undefined : `${traceId}-${parentSpanId}`,
    label: `${/=(\w+)/.exec(origin)?.[1]} ${KINDS[kind]}`,
    form: `${origin} ${KINDS[kind]} ${name}: ${keys.join(' ')}`,
  };
}
