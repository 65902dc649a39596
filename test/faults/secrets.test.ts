import { spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readyPort, SERVICES, type ServiceName } from '@procurement/local-stack/ports';
import { startStack, type Stack } from '@procurement/local-stack/stack';
import { AUTHOR } from '@procurement/testing/bodies';
import { waitFor } from '@procurement/testing/wait-for';
import { webhookReceiver, type WebhookReceiver } from '@procurement/testing/webhook-receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilAuctionsPlanned, untilTender } from '../e2e/stories/wait-for-tender.ts';
import { broker, clientFrom, until, type Broker } from '../support/broker.ts';
import { fileUpload } from '../support/file-upload.ts';
import { queryService } from '../support/hold-row.ts';
import { TENDERER } from '../support/published-tender.ts';
import { minimalTender } from '../support/request-bodies.ts';
import { moveToNextCheck } from '../support/sandbox.ts';

const randomText = (): string => randomBytes(16).toString('hex');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** API keys that differ from their names, as outside of a sandbox. */
const KEYS = { buyer: randomText(), seller: randomText(), rival: randomText(), auctioneer: randomText() } as const;
const KEY_FILE = `[brokers]
buyer = ${KEYS.buyer},1234x
seller = ${KEYS.seller},1234
rival = ${KEYS.rival},1234
[auction]
auctioneer = ${KEYS.auctioneer}
`;

/** What must not be found, by what it is. */
const secrets = new Map<string, string>();
/** Texts of all answers. */
const answers: string[] = [];

/** What services have exported of their traces. */
const traces: string[] = [];
/** A receiver of OpenTelemetry, in JSON. */
const collector = createServer((request, response) => {
  void readText(request).then((text) => {
    traces.push(text);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

let dataDir: string;
let stack: Stack;
let receiver: WebhookReceiver;
let tenderId: string;
/** Where the links of bidders are while the auction is held. */
let placesOfLinks: readonly string[];
/** What sealed bids offer and by whom, by what it is. Public after the opening. */
const offers = new Map<string, string>();
/** Where `offers` were found before the closing, and while the auction is held. Answers are left out: the bidders got them. */
let placesOfOffers: { readonly inTendering: readonly string[]; readonly inAuction: readonly string[] };

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'procurement-secrets-'));
  const endpoint = await listen(collector);
  const env = { LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '1' };
  stack = await startStack({ dataDir, durable: false, env });
  receiver = await webhookReceiver();
  addBrokers();
  for (const [name, key] of Object.entries(KEYS)) secrets.set(`the API key of ${name}`, key);
  for (const service of SERVICES) collectSettings(service);
  tenderId = await playStory();
});

afterAll(async () => {
  await receiver.stop();
  await stack.stop();
  collector.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function addBrokers(): void {
  const main = fileURLToPath(new URL('../../services/gateway/dist/bundle/dist/main.js', import.meta.url));
  const { env } = stack.serviceOptions('gateway');
  const words = ['brokers', 'import', '-', '--format', 'ini'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
    env,
    input: KEY_FILE,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  answers.push(stdout, stderr);
}

/** Secrets of services: passwords, signing keys. */
const SECRET_SETTING = /PASSWORD|SECRET|PRIVATE_KEY|LEDGER_KEY|BLIND_KEY|RECEIPT_KEY|_KEYS$/;

function collectSettings(service: ServiceName): void {
  const { env } = stack.serviceOptions(service);
  for (const [name, value] of Object.entries(env))
    if (SECRET_SETTING.test(name)) secrets.set(`${name} of ${service}`, value.split(':').at(-1) ?? '');
  secrets.set(`the database password of ${service}`, new URL(env['DATABASE_URL'] ?? '').password);
}

const SALT = 'the salt of ';

/** The salt in a receipt: with it, guesses of a sealed bid can be tested. */
function parseSalt(receipt: string): string {
  const [, salt = ''] = /^salt (.*)$/m.exec(Buffer.from(receipt, 'base64url').toString()) ?? [];
  return salt;
}

/** Members of answers that give a secret to its owner. After the auction the links of bidders are public. */
const FOR_THE_OWNER: ReadonlySet<string> = new Set(['access', 'secret', 'participationUrl']);

/** A client that keeps all answers, takes the tokens in them for secrets, and sends each POST under a key of its own. */
function makeClient(key: string): Broker {
  const client = broker(stack.gatewayUrl, key, '2.5');
  const request: Broker['request'] = async (method, path, options = {}) => {
    const idempotencyKey = randomText();
    if (method === 'POST') secrets.set(`the idempotency key of ${method} ${path.replace(/\?.*/, '')}`, idempotencyKey);
    const headers = { ...options.headers, ...(method === 'POST' ? { 'idempotency-key': idempotencyKey } : {}) };
    const answer = await client.request(method, path, { ...options, headers });
    const { token, transfer } = answer.body?.access ?? {};
    if (token !== undefined) secrets.set(`the owner token of ${path}`, token);
    if (transfer !== undefined) secrets.set(`the transfer token of ${path}`, transfer);
    const receipt = answer.headers.get('procurement-receipt');
    if (receipt !== null)
      secrets.set(`the receipt of ${method} ${path}`, receipt).set(`${SALT}${receipt.slice(-8)}`, parseSalt(receipt));
    answers.push(JSON.stringify(answer.body, (name, value) => (FOR_THE_OWNER.has(name) ? undefined : value)));
    return answer;
  };
  return clientFrom(request);
}

function expectStatus({ status, text }: { readonly status: number; readonly text: string }, expected: number): void {
  expect([status, text.slice(0, 300)]).toEqual([expected, expect.anything()]);
}

/** There may be other deadlines before. */
async function moveToStatus(buyer: Broker, id: string, wanted: string): Promise<void> {
  for (let status = ''; status !== wanted;) ({ status } = await moveToNextCheck(buyer, id));
}

/** A procedure to the contract, and requests that are refused or fail. Returns the id of its tender. */
async function playStory(): Promise<string> {
  const [buyer, seller, rival, auctioneer] = [KEYS.buyer, KEYS.seller, KEYS.rival, KEYS.auctioneer].map(makeClient) as [
    Broker,
    Broker,
    Broker,
    Broker,
  ];
  const published = await buyer.post('/tenders', minimalTender());
  expectStatus(published, 201);
  const { data, access } = published.body;
  const path = `/tenders/${data.id}`;
  const owner = { headers: { 'x-access-token': access.token } };

  const hook = await buyer.post('/webhooks', {
    url: receiver.url,
    filter: { mode: '_all_', ids: [data.id] },
    from: '0',
  });
  expectStatus(hook, 201);
  secrets.set('the secret of the webhook', hook.body.data.secret);
  await waitFor(() => receiver.accepted().length > 0, { what: 'a delivery' });

  expectStatus(await seller.post(`${path}/complaints`, { author: AUTHOR, title: 'Вимога', status: 'claim' }), 201);
  expectStatus(
    await buyer.request(
      'POST',
      `${path}/documents?acc_token=${access.token}`,
      fileUpload('умови.pdf', 'application/pdf', '%PDF'),
    ),
    201,
  );
  await moveToStatus(buyer, data.id, 'active.tendering');
  const bids = [];
  for (const client of [seller, rival]) {
    const bid = await client.post(`${path}/bids`, offer());
    expectStatus(bid, 201);
    const { value, tenderers } = offer();
    const raw = JSON.stringify({ access: { token: bid.body.access.token }, data: { value, tenderers } });
    expectStatus(await client.request('PATCH', `${path}/bids/${bid.body.data.id}`, { raw }), 200);
    bids.push(bid.body);
  }
  const withdrawn = await rival.post(`${path}/bids`, offer());
  const { token } = withdrawn.body.access;
  expectStatus(await rival.request('DELETE', `${path}/bids/${withdrawn.body.data.id}?acc_token=${token}`), 200);
  await untilAuctionsPlanned(buyer, path);
  const inTendering = await placesOfEachOffer();
  await moveToStatus(buyer, data.id, 'active.auction');
  const links = bids.map(({ data: { id } }) => ({
    id,
    participationUrl: `https://auction.example.org/${randomText()}`,
  }));
  const addresses = await auctioneer.patch(`${path}/auction`, {
    auctionUrl: 'https://auction.example.org/1',
    bids: links,
  });
  expectStatus(addresses, 200);
  await untilLinked(seller, `${path}/bids/${bids[0].data.id}?acc_token=${bids[0].access.token}`);
  placesOfLinks = await findPlaces(links.map(({ participationUrl }) => participationUrl));
  placesOfOffers = { inTendering, inAuction: await placesOfEachOffer() };
  await moveToNextCheck(buyer, data.id);
  const results = bids.map(({ data: { id } }, n) => ({ id, value: { amount: 390 + n } }));
  expectStatus(await auctioneer.post(`${path}/auction`, { bids: results }), 200);
  const { awards } = await untilTender(buyer, path, 'an award', (tender) => tender.awards?.length === 1);
  expectStatus(
    await buyer.request('PATCH', `${path}/awards/${awards[0].id}`, { data: { status: 'active' }, ...owner }),
    200,
  );
  await refusedRequests(path, access.token);
  // The buyer's broker has left, and another takes the tender over.
  const transfer = await rival.post('/transfers', {});
  const takeOver = { id: transfer.body.data.id, transfer: access.transfer };
  expectStatus(await rival.post(`${path}/ownership`, takeOver), 200);
  await failedRequests(path, transfer.body.access.token);
  await readLog(data.id);
  return data.id;
}

/** A bid of which each value is found only where this bid is. */
function offer() {
  const number = offers.size / 3;
  // The last digit is not 0, so that the number is printed as it is here.
  const amount = Number(`4${randomInt(10, 90)}.${randomInt(100_000, 999_999)}7`);
  const [name, id] = [`Bidder ${randomText()}`, `${randomInt(10 ** 11, 10 ** 12)}`];
  offers.set(`amount ${number}`, `${amount}`);
  offers.set(`name ${number}`, name);
  offers.set(`identifier ${number}`, id);
  const tenderer = { ...TENDERER, name, identifier: { ...TENDERER.identifier, id } };
  return { tenderers: [tenderer], value: { amount } };
}

/**
 * The places with what sealed bids offer, also in the files of PostgreSQL, its WAL included: tables as text have what a dump has, the
 * files what updates have left.
 */
async function placesOfEachOffer(): Promise<readonly string[]> {
  const places = (await writtenPlaces()).filter(([place]) => place !== 'answers');
  const texts = [...places, ...filesBelow(join(dataDir, 'postgres'))];
  return [...offers].flatMap(([name, value]) =>
    texts
      .filter(([, text]) => listForms(value).some((form) => text.includes(form)))
      .map(([place]) => `${name}: ${place}`),
  );
}

async function untilLinked(seller: Broker, bid: string): Promise<void> {
  await until('the link of the bidder', async () => (await seller.get(bid)).body.data.participationUrl !== undefined);
}

/** Requests with secrets in places where they do not belong, and with others that are wrong. */
async function refusedRequests(path: string, token: string): Promise<void> {
  const buyer = makeClient(KEYS.buyer);
  const stranger = makeClient(note('a key that nobody has'));
  expectStatus(await stranger.post('/tenders', minimalTender()), 401);
  expectStatus(await buyer.patch(`${path}?acc%5Ftoken=${note('a wrong token')}`, {}), 403);
  const raw = `{"access": {"token": "${token}"}, "data": {"title": `;
  expectStatus(await buyer.request('PATCH', path, { raw }), 403);
  const twice = { headers: { 'idempotency-key': note('a repeated idempotency key') } };
  const question = { author: AUTHOR, title: 'Питання', description: 'Яке?' };
  const gateway = broker(stack.gatewayUrl, KEYS.seller, '2.5');
  for (const title of ['перше', 'друге']) await gateway.post(`${path}/complaints`, { ...question, title }, twice);
  expectStatus(await buyer.get(`/nothing?acc_token=${token}`), 404);
  expectStatus(await buyer.get(`${path}/%0A%7B%22level%22:%22fatal%22%7D`), 404);
}

/** Requests while services and the database are away: what they log of an error must not have what was sent. */
async function failedRequests(path: string, token: string): Promise<void> {
  const rival = makeClient(KEYS.rival);
  const body = { tenderers: [TENDERER], value: { amount: 300 } };
  await stack.parts.bids.kill('SIGKILL');
  expectStatus(await rival.post(`${path}/bids?acc_token=${token}`, body), 503);
  await stack.parts.postgres.kill('SIGKILL');
  for (const send of [
    async () => rival.patch(`${path}?acc_token=${token}`, { description: 'Змінено' }),
    async () => rival.post('/tenders', minimalTender()),
    async () => makeClient(note('a key while the database is away')).post('/tenders', minimalTender()),
  ])
    expectStatus(await send(), 503);
  await stack.parts.postgres.start();
  await stack.parts.bids.start();
}

/** What the ledger answers about the tender, once all of it is in the log. */
async function readLog(id: string): Promise<void> {
  const log = `${stack.gatewayUrl}/log`;
  for (const path of ['checkpoint', `tenders/${id}`])
    answers.push(
      await until(`/log/${path}`, async () => {
        const answer = await fetch(`${log}/${path}`);
        return answer.status === 200 && answer.text();
      }),
    );
}

/** A new secret. */
function note(name: string): string {
  const text = randomText();
  secrets.set(name, text);
  return text;
}

/** Where secrets could have been written: a name of each place, and everything in it. */
async function writtenPlaces(): Promise<readonly (readonly [string, string])[]> {
  const logs = filesBelow(join(dataDir, 'logs'));
  const streams = filesBelow(join(dataDir, 'nats'));
  const probes = SERVICES.flatMap((service) =>
    ['metrics', 'ready', 'health'].map(async (probe): Promise<readonly [string, string]> => {
      const answer = await fetch(`http://127.0.0.1:${readyPort(service, stack.ports)}/${probe}`);
      return [`/${probe} of ${service}`, await answer.text()];
    }),
  );
  const tables = await Promise.all(SERVICES.map(readTables));
  return [
    ...logs,
    ...streams,
    ...(await Promise.all(probes)),
    ...tables.flat(),
    ['answers', answers.join('\n')],
    ['traces', traces.join('\n')],
  ];
}

/** Bytes as Latin-1: secrets are ASCII. */
function filesBelow(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(dataDir.length + 1), readFileSync(path, 'latin1')] as const;
    });
}

const TABLES = `SELECT concat_ws('.', quote_ident(schemaname), quote_ident(tablename)) AS name FROM pg_tables
  WHERE schemaname IN ('public', 'kit')`;

async function readTables(service: ServiceName): Promise<readonly (readonly [string, string])[]> {
  const tables = await queryService<{ name: string }>(stack, service, TABLES);
  return Promise.all(
    tables.map(async ({ name }) => {
      // The name comes from the catalogue of the test's own database. Bytes are shown in hex.
      const rows = `SELECT coalesce(string_agg(t::text, E'\\n'), '') AS text FROM ${name} t`;
      const [found] = await queryService<{ text: string }>(stack, service, rows);
      return [`table ${service}.${name.replace('public.', '')}`, found?.text ?? ''] as const;
    }),
  );
}

/** Forms in which a text may be written. */
function listForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
}

/** The places with any of these texts. */
async function findPlaces(texts: readonly string[]): Promise<readonly string[]> {
  const forms = texts.flatMap(listForms);
  const places = await writtenPlaces();
  return places.filter(([, text]) => forms.some((form) => text.includes(form))).map(([place]) => place);
}

describe('secrets, after a story with refusals and failures, logged at the level trace', () => {
  it('are found nowhere in clear', async () => {
    const exported = (service: ServiceName): boolean =>
      traces.some((text) => text.includes(`"stringValue":"${service}"`));
    await waitFor(() => SERVICES.every(exported) && traces.some((text) => text.includes(tenderId)), {
      what: 'traces of all services',
    });
    const places = await writtenPlaces();
    const found = [...secrets].flatMap(([name, secret]) =>
      places
        .filter(([, text]) => listForms(secret).some((form) => text.includes(form)))
        .map(([place]) => [name, place] as const),
    );
    // The bids were opened: their seal discloses salts to everybody (docs/spec/proof.md 5.2).
    const isDisclosed = (name: string, place: string): boolean => place === 'table bids.seal' && name.startsWith(SALT);
    expect(found.filter(([name, place]) => !isDisclosed(name, place))).toEqual([]);
    // The search finds what is there: the tender in logs, events, tables, answers and traces, and the hash of its token.
    const kinds = places.filter(([, text]) => text.includes(tenderId)).map(([place]) => place.replace(/[/ ].*/, ''));
    expect(new Set(kinds)).toEqual(new Set(['logs', 'nats', 'table', 'answers', 'traces']));
    const hash = sha256(secrets.get('the owner token of /transfers') ?? '');
    expect(places.filter(([, text]) => text.includes(hash)).length).toBeGreaterThan(0);
  });

  it('or the links of bidders, while the auction is held, are in the tables of those who give them out', () => {
    expect(placesOfLinks).toEqual(['table auction.auction_address']);
  });

  it('or what sealed bids offer is nowhere before the opening', async () => {
    expect(offers.size).toBe(15);
    expect(placesOfOffers).toEqual({ inTendering: [], inAuction: [] });
    // The search finds what is there: the opening has published the bids.
    expect(await placesOfEachOffer()).toContain('name 1: table bids.bid');
  });

  it('or line ends in a path make no line of the log', () => {
    const lines = readFileSync(join(dataDir, 'logs/gateway.log'), 'utf8').trimEnd().split('\n');
    const levels = lines.map((line) => (line.startsWith('{') ? JSON.parse(line).level : line));
    expect(lines.filter((line) => line.includes('fatal') && line.includes(tenderId))).toHaveLength(1);
    expect(levels).not.toContain('fatal');
  });
});
