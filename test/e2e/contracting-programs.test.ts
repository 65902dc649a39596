import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, isProblem, memoryTokens, type ProcurementClient } from '@procurement/client';
import { describe, expect, inject, it } from 'vitest';
import { patientBroker, type Json } from '../support/broker.ts';
import { runIn, writeProgram } from '../support/procurement-program.ts';
import { KEYS, playToSigning, type PlayedContract, type Step } from './stories/contracting.ts';
import { mismatches, withSymbols } from './stories/fixture-match.ts';

const url = inject('gatewayUrl');
const anyone = patientBroker(url, undefined, '2.5');
const FILE = 'додаткова-угода-1.pdf';
const FEED_FIELDS = ['status', 'tender_id', 'contractID'];

/** A step of the story as a program does it. */
interface Call {
  readonly actor: string;
  /** The body with the values of symbols. */
  readonly data: Json;
  /** What stands last in the path. */
  readonly id: string;
  readonly contractId: string;
  readonly tenderId: string;
}

/** What a program shows of an answer: its data, or why it was refused. */
type Shown =
  | { readonly data: Json; readonly access?: Json }
  | { readonly status: number; readonly errors: readonly Json[] };

/** The operation of a step, without identifiers: `PUT contracts/transactions`. */
function formatOperation({ method, path }: Step): string {
  const place = path.replace(/\?.*/, '').replace(/^\/(contracts|tenders)\/\$\w+/, '$1 of one');
  return `${method} ${place.replace(/(transactions|changes)\/[^/]+$/, '$1/one')}`;
}

/** Plays story.json by a program. Expects what it shows of each answer, and the contract of views.json at the end. */
async function playBy(
  played: PlayedContract,
  program: (operation: string, call: Call) => Promise<Shown>,
): Promise<void> {
  const { symbols, tenderId } = played;
  const contractId: string = symbols.get('$contract');
  for (const step of played.fixture('story').steps as readonly Step[]) {
    const data = await played.filled(step.body?.data ?? {});
    const id = withSymbols(step.path.split('/').at(-1) ?? '', symbols);
    const shown = await program(formatOperation(step), { actor: step.as ?? '', data, id, contractId, tenderId });
    expect('status' in shown ? shown.status : 200, `${step.n}: ${JSON.stringify(shown)}`).toBe(
      step.status < 300 ? 200 : step.status,
    );
    const { data: expectedData, access, errors } = step.expect;
    const answer =
      'errors' in shown
        ? { errors: shown.errors.map(({ location, name, description }) => ({ location, name, description })) }
        : shown;
    const expected = errors === undefined ? { data: expectedData, ...(access && { access }) } : { errors };
    expect(mismatches(expected, answer, { symbols }), `step ${step.n}`).toEqual([]);
  }
  const contract = (await anyone.get(played.contractPath)).body.data;
  expect(mismatches(played.fixture('views').contract.data, contract, { symbols, isExact: true })).toEqual([]);
}

/** The operations of the story by methods of the client. */
const METHODS: Readonly<Record<string, (client: ProcurementClient, call: Call) => Promise<Json>>> = {
  'GET contracts of one': async (client, { contractId }) => client.contract(contractId).get(),
  'GET tenders of one': async (client, { tenderId }) => client.tender(tenderId).get(),
  'PATCH contracts of one/credentials': async (client, { contractId, tenderId }) =>
    client.contract(contractId).credentials({ as: tenderId }),
  'PATCH contracts of one': async (client, { contractId, data }) => client.contract(contractId).patch(data),
  'POST contracts of one/changes': async (client, { contractId, data }) =>
    client.contract(contractId).changes.create(data),
  'PATCH contracts of one/changes/one': async (client, { contractId, id, data }) =>
    client.contract(contractId).change(id).patch(data),
  async 'POST contracts of one/documents'(client, { contractId, data: { $upload: _marker, ...data } }) {
    const file = await client.uploadFile({ name: FILE, type: 'application/pdf', content: 'an amendment' });
    return client.contract(contractId).documents.register({ ...file, ...data });
  },
  'PUT contracts of one/transactions/one': async (client, { contractId, id, data }) =>
    client.contract(contractId).transaction(id).put(data),
  'GET contracts of one/transactions/one': async (client, { contractId, id }) =>
    client.contract(contractId).transaction(id).get(),
  async 'GET /contracts'(client, { contractId }) {
    const rows = [];
    for await (const { entry } of client.contracts.feed({ mode: '_all_', fields: FEED_FIELDS }))
      if (entry.id === contractId) rows.push(entry);
    return rows;
  },
};

/** An option, if it has a value. */
const option = (name: string, value: string | number | undefined): readonly string[] =>
  value === undefined ? [] : [`--${name}`, `${value}`];

/** The operations of the story by arguments of the command line. */
const COMMANDS: Readonly<Record<string, (call: Call) => readonly string[]>> = {
  'GET contracts of one': ({ contractId }) => ['contract', 'get', contractId],
  'GET tenders of one': ({ tenderId }) => ['tender', 'get', tenderId],
  'PATCH contracts of one/credentials': ({ contractId }) => ['contract', 'credentials', contractId],
  'PATCH contracts of one': ({ contractId, data }) =>
    data.status === 'terminated'
      ? [
          'contract',
          'terminate',
          contractId,
          ...option('paid', data.amountPaid?.amount),
          ...option('paid-net', data.amountPaid?.amountNet),
        ]
      : ['contract', 'patch', contractId, JSON.stringify(data)],
  'POST contracts of one/changes': ({ contractId, data }) => [
    'contract',
    'change',
    contractId,
    ...option('rationale', data.rationale),
    '--type',
    ...data.rationaleTypes,
    ...option('rationale-en', data.rationale_en),
    ...option('number', data.contractNumber),
  ],
  'PATCH contracts of one/changes/one': ({ contractId, id, data }) =>
    data.status === 'active'
      ? ['contract', 'change-activate', contractId, id, ...option('date-signed', data.dateSigned)]
      : ['send', 'PATCH', `/contracts/${contractId}/changes/${id}`, JSON.stringify(data)],
  'POST contracts of one/documents': ({ contractId, data }) => [
    'contract',
    'upload',
    contractId,
    FILE,
    '--change',
    data.relatedItem,
  ],
  'PUT contracts of one/transactions/one': ({ contractId, id, data }) => [
    'contract',
    'pay',
    contractId,
    id,
    JSON.stringify(data),
  ],
  'GET contracts of one/transactions/one': ({ contractId, id }) => [
    'send',
    'GET',
    `/contracts/${contractId}/transactions/${id}`,
  ],
  'GET /contracts': () => ['contracts', 'follow', '--once', '--mode', '_all_', '--fields', FEED_FIELDS.join(',')],
};

/** What the command line prints with --json: an object, or one a line. */
const printed = (out: string): readonly Json[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const play = async (): Promise<PlayedContract> =>
  playToSigning((key, segment = '2.5') => patientBroker(url, key, segment));

describe('the story of a contract (contracting.md 13, K1)', () => {
  it('is played by the typed client', async () => {
    const played = await play();
    const tokens = memoryTokens({ [played.tenderId]: { token: played.symbols.get('$tenderToken') } });
    await playBy(played, async (operation, call) => {
      const key = KEYS[call.actor];
      const client = createClient({ url, tokens, ...(key === undefined ? {} : { key }) });
      try {
        const data = await METHODS[operation]?.(client, call);
        return { data, access: await tokens.get(call.contractId) };
      } catch (error) {
        if (!isProblem(error)) throw error;
        return { status: error.status, errors: error.errors };
      }
    });
  });

  it('is played by the command line', async () => {
    const played = await play();
    const folder = mkdtempSync(join(tmpdir(), 'contracting-'));
    writeProgram(folder);
    writeFileSync(join(folder, FILE), 'an amendment');
    for (const actor of ['public', 'bot', 'buyer'])
      await runIn(folder, ['procurement', 'key', 'add', actor, '--url', url], { stdin: KEYS[actor] ?? '' });
    const tokens = join(folder, '.config/procurement/tokens/buyer');
    mkdirSync(tokens, { recursive: true });
    writeFileSync(
      join(tokens, `${played.tenderId}.json`),
      JSON.stringify({ token: played.symbols.get('$tenderToken') }),
    );
    await playBy(played, async (operation, call) => {
      const { contractId, actor } = call;
      const words = COMMANDS[operation]?.(call) ?? [];
      const ended = await runIn(folder, ['procurement', '--json', '--profile', actor, ...words]);
      if (ended.code !== 0) return printed(ended.notes).at(-1).error;
      const rows = printed(ended.out);
      if (operation === 'GET /contracts') return { data: rows.filter(({ id }) => id === contractId) };
      if (!operation.endsWith('/credentials')) return { data: rows[0] };
      return { data: rows[0], access: JSON.parse(readFileSync(join(tokens, `${contractId}.json`), 'utf8')) };
    });
    rmSync(folder, { recursive: true });
  });
});
