import type { ApiRequest } from '@procurement/client';
import type { Command } from 'commander';
import { BODY, readBody } from './body.ts';
import { uploadEach } from './documents.ts';
import { KINDS } from './objects.ts';
import { IDEMPOTENCY_KEY, parseNumber } from './options.ts';
import { requestAt, requireValue, encodeSegment } from './request.ts';
import type { Session, WriteOptions } from './session.ts';
import { showObject } from './show.ts';

const CONTRACT = ['contract', KINDS['contract']?.columns ?? []] as const;
const CHANGE = [
  'change',
  ['id', 'status', 'date', 'dateSigned', 'contractNumber', 'rationaleTypes', 'rationale'],
] as const;

/** Adds the commands about a contract at its own address (contracting.md 10.4). */
export function addContractCommands(contract: Command, session: () => Session): void {
  const writing = (name: string): Command =>
    contract.command(name).option('--as <id>', 'whose token goes along, if not that of the contract or of its tender');
  contract
    .command('get <contract>')
    .description('show one')
    .action(async (id: string) => showContract(session(), id, { method: 'GET' }));
  writing('patch <contract>')
    .argument('<body>', BODY)
    .description('sign one, or change members of it')
    .option('--strict', 'change nothing when a member may not change now')
    .action(async (id: string, body: string, options) => changeMembers(session(), [id, body], options));
  writing('change <contract>')
    .description('add a change of a signed contract')
    .requiredOption('--rationale <text>', 'why')
    .requiredOption('--type <codes...>', 'reasons, such as itemPriceVariation; a wrong one is answered with the list')
    .option('--rationale-en <text>', 'why, in English')
    .option('--number <number>', 'number of the amendment')
    .option('--date-signed <instant>', 'when it was signed')
    .option('--idempotency-key <key>', IDEMPOTENCY_KEY)
    .action(async (id: string, options) => addChange(session(), id, options));
  writing('change-activate <contract> <change>')
    .description('activate a change, which closes it')
    .option('--date-signed <instant>', 'when it was signed, unless the change says it')
    .action(async (id: string, change: string, options) => activateChange(session(), [id, change], options));
  writing('pay <contract> <transaction>')
    .argument('<body>', BODY)
    .description('report a payment, or its new status: 0 is successful, -1 is canceled')
    .action(async (id: string, transaction: string, body: string, options) =>
      pay(session(), [id, transaction, body], options),
    );
  writing('terminate <contract>')
    .description('end a contract: only payments may follow')
    .option('--paid <amount>', 'what was paid in all, in the currency of the contract', parseNumber)
    .option('--paid-net <amount>', 'the same without VAT', parseNumber)
    .option('--details <text>', 'why it was not performed')
    .action(async (id: string, options) => terminate(session(), id, options));
  writing('upload <contract> <files...>')
    .description('add files to a contract, also after its tender is complete')
    .option('--change <change>', 'files of this pending change')
    .action(async (id: string, files: readonly string[], options) => upload(session(), [id, files], options));
  contract
    .command('credentials <contract>')
    .description('exchange the token of the tender for one of the contract, which is kept with the profile')
    .action(async (id: string) => makeCredentials(session(), id));
  contract
    .command('take-over <contract>')
    .description('take it over from a broker that has left; its transfer secret is read from stdin')
    .action(async (id: string) => takeOver(session(), id));
}

interface ContractRequest {
  readonly method: ApiRequest['method'];
  /** Path below the contract. */
  readonly path?: string;
  readonly data?: unknown;
}

/** Sends a request about a contract at its own address. A write has the token of the contract, or of its tender while that has none. */
async function onContract(
  session: Session,
  id: string,
  { method, path = '', data }: ContractRequest,
  options: WriteOptions = {},
): Promise<object> {
  const address = `/contracts/${encodeSegment('contract', id)}${path}`;
  const as = options.as ?? (method === 'GET' ? id : await fetchOwner(session, id));
  const answer = await requestAt(session, address, { method, data, options: { ...options, as } });
  // Every answer about a contract has an object as data.
  return answer.body.data as object;
}

/** The object whose token opens the contract. */
async function fetchOwner({ client, signal }: Session, id: string): Promise<string> {
  const own = await client.tokens.get(id);
  return own === undefined ? (await client.contract(id).get({ signal })).tender_id : id;
}

async function showContract(
  session: Session,
  id: string,
  request: ContractRequest,
  options?: WriteOptions,
): Promise<void> {
  showObject(session, await onContract(session, id, request, options), CONTRACT);
}

async function changeMembers(
  session: Session,
  [id, body]: readonly [string, string],
  options: WriteOptions,
): Promise<void> {
  const { data } = await readBody(session, body);
  await showContract(session, id, { method: 'PATCH', data }, options);
}

interface ChangeOptions extends WriteOptions {
  readonly rationale: string;
  readonly rationaleEn?: string;
  readonly type: readonly string[];
  readonly number?: string;
  readonly dateSigned?: string;
}

async function addChange(
  session: Session,
  id: string,
  { rationale, rationaleEn, type: rationaleTypes, number: contractNumber, dateSigned, ...options }: ChangeOptions,
): Promise<void> {
  // JSON has no members without a value.
  const data = { rationale, rationale_en: rationaleEn, rationaleTypes, contractNumber, dateSigned };
  showObject(session, await onContract(session, id, { method: 'POST', path: '/changes', data }, options), CHANGE);
}

async function activateChange(
  session: Session,
  [id, change]: readonly [string, string],
  { dateSigned, ...options }: WriteOptions & { readonly dateSigned?: string },
): Promise<void> {
  const path = `/changes/${encodeSegment('change', change)}`;
  const data = { status: 'active', dateSigned };
  showObject(session, await onContract(session, id, { method: 'PATCH', path, data }, options), CHANGE);
}

async function pay(
  session: Session,
  [id, transaction, body]: readonly [string, string, string],
  options: WriteOptions,
): Promise<void> {
  const { data } = await readBody(session, body);
  const path = `/transactions/${encodeSegment('transaction', transaction)}`;
  await showContract(session, id, { method: 'PUT', path, data }, options);
}

interface TerminateOptions extends WriteOptions {
  readonly paid?: number;
  readonly paidNet?: number;
  readonly details?: string;
}

async function terminate(
  session: Session,
  id: string,
  { paid: amount, paidNet: amountNet, details: terminationDetails, ...options }: TerminateOptions,
): Promise<void> {
  const amountPaid = amount === undefined && amountNet === undefined ? undefined : { amount, amountNet };
  await showContract(
    session,
    id,
    { method: 'PATCH', data: { status: 'terminated', amountPaid, terminationDetails } },
    options,
  );
}

/** Files of a change go to the document service first: a form cannot say what its file belongs to (contracting.md 6). */
async function upload(
  session: Session,
  [id, files]: readonly [string, readonly string[]],
  { change, as }: WriteOptions & { readonly change?: string },
): Promise<void> {
  const { client } = session;
  const { documents } = client.contract(requireValue('contract', id));
  const owner = as ?? (await fetchOwner(session, id));
  await uploadEach(session, files, async (file, options) => {
    if (change === undefined) return documents.upload(file, { ...options, as: owner });
    const brought = await client.uploadFile(file, options);
    return documents.register({ ...brought, documentOf: 'change', relatedItem: change }, { ...options, as: owner });
  });
}

async function makeCredentials(session: Session, id: string): Promise<void> {
  const { tender_id: as } = await session.client.contract(requireValue('contract', id)).get({ signal: session.signal });
  await showContract(session, id, { method: 'PATCH', path: '/credentials', data: {} }, { as });
}

async function takeOver(session: Session, id: string): Promise<void> {
  const secret = (await session.readInput('-')).trim();
  const taken = await session.client
    .contract(requireValue('contract', id))
    .takeOver(secret, { signal: session.signal });
  showObject(session, taken, ['contract', ['id', 'owner']]);
}
