import { selectRoutes } from '@procurement/contracts/api/routes';
import type { RouteContract } from '@procurement/contracts/api/route';
import type { OperationExample } from '../../services/gateway/src/description/examples.ts';
import { isAt } from './document-validator.ts';
import type { Exchange } from './recordings.ts';

type Json = Readonly<Record<string, unknown>>;
type Examples = Record<string, OperationExample>;

/**
 * An example of every operation of segment 2.5. Recorded where a story makes the request; otherwise made of recorded parts:
 * the same object from another operation, the same operation from another collection, or the example of the contract.
 */
export function buildExamples(exchanges: readonly Exchange[]): Readonly<Record<string, OperationExample>> {
  const routes = selectRoutes({ sandbox: true });
  const examples: Examples = {};
  for (const route of routes) {
    const recorded = findShortest(exchanges.filter((exchange) => isExchangeOf(route, exchange)));
    if (recorded !== undefined) examples[route.name] = buildExample(recorded);
    else if (route.example !== undefined) examples[route.name] = contractExample(route);
  }
  addDerived(examples);
  for (const route of routes) {
    const { request, response } = examples[route.name] ?? {};
    if (response === undefined || (route.body !== undefined && request === undefined)) {
      throw new Error(
        `no recording gives an example of ${route.name}: say in tools/openapi/examples.ts what to make it of`,
      );
    }
  }
  return Object.fromEntries(Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function contractExample({ example, exampleRequest }: RouteContract): OperationExample {
  return { ...(exampleRequest === undefined ? {} : { request: exampleRequest }), response: example };
}

function isExchangeOf({ method, path }: RouteContract, exchange: Exchange): boolean {
  const template = path.replaceAll(/:(\w+)/g, '{$1}');
  return exchange.method === method && exchange.status < 300 && isAt(template, exchange.path);
}

/** Short examples are read; long ones are scrolled over. */
function findShortest(exchanges: readonly Exchange[]): Exchange | undefined {
  const sizeOf = ({ request, response }: Exchange): number => JSON.stringify([request, response]).length;
  return exchanges.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0];
}

function buildExample({ request, isUpload, response }: Exchange): OperationExample {
  const registered = isUpload ? { request: { data: pick(dataOf(response), ['title', 'url', 'hash', 'format']) } } : {};
  return { ...(request === undefined ? registered : { request }), response };
}

/** `data` of a recorded answer or request. */
function dataOf(body: unknown): Json {
  return (body as { readonly data: Json }).data;
}

function pick(object: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

/** Operations that no story uses. What is recorded stays. */
function addDerived(examples: Examples): void {
  const add = (name: string, example: OperationExample): void => {
    examples[name] ??= example;
  };
  const dataAnsweredBy = (name: string): Json => {
    const response = examples[name]?.response;
    if (response === undefined) throw new Error(`no example of ${name} to make others of`);
    return dataOf(response);
  };
  const tender = dataAnsweredBy('getTender');
  add('listTenders', { response: buildFeed(tender, 'tenders') });
  add('putTender', { request: examples['createTender']?.request, response: { data: dataAnsweredBy('createTender') } });
  add('moveClock', { request: { data: { to: 'next_check' } }, response: { data: tender } });
  for (const [noun, source] of COLLECTIONS) {
    add(`get${noun}`, { response: { data: dataAnsweredBy(source) } });
    add(`list${noun}s`, { response: { data: [dataAnsweredBy(source)] } });
    add(`delete${noun}`, { response: { data: dataAnsweredBy(source) } });
  }
  const award = dataAnsweredBy('getAward');
  add('createAward', {
    request: { data: pick(award, ['bid_id', 'lotID', 'suppliers', 'value']) },
    response: { data: { ...award, status: 'pending' } },
  });
  const contract: Json = { ...dataAnsweredBy('patchContract'), status: 'pending' };
  add('createContract', {
    request: { data: pick(contract, ['awardID', 'contractNumber', 'value']) },
    response: { data: contract },
  });
  const { procuringEntity } = tender as { readonly procuringEntity: Json };
  const { contactPoint: _contactPoint, kind: _kind, ...buyer } = procuringEntity;
  const ofTender = { tender_id: tender['id'], owner: tender['owner'], procuringEntity, buyer };
  const standalone = { ...contract, dateModified: tender['dateModified'], ...ofTender };
  add('listAllContracts', {
    response: buildFeed({ id: contract['id'], dateModified: tender['dateModified'] }, 'contracts'),
  });
  add('getStandaloneContract', { response: { data: standalone } });
  addContractActs({ ...standalone, status: 'active' }, add);
  const created = examples['createTender']?.response as { readonly access: Json } | undefined;
  add('patchContractCredentials', { response: { access: created?.access, data: standalone } });
  addDocuments(examples, add);
  for (const name of Object.keys(examples)) if (!isOperation(name)) delete examples[name];
}

const RATIONALE = { rationale: 'Зросла ринкова ціна паперу.', rationaleTypes: ['itemPriceVariation'] };
const CHANGE = {
  id: '0c0ffee00c0ffee00c0ffee00c0ffee0',
  ...RATIONALE,
  date: '2026-05-12T11:05:00.000000+03:00',
  status: 'pending',
};
const PAYMENT = {
  date: '2026-05-20T12:00:00+03:00',
  value: { amount: 200.5, currency: 'UAH' },
  payer: { name: 'Міська рада', bankAccount: { scheme: 'IBAN', id: 'UA213223130000026007233566001' } },
  payee: { name: 'ТОВ Папір', bankAccount: { scheme: 'IBAN', id: 'UA903052992990004149123456789' } },
  status: '0',
};

/** What follows the signature of a contract (contracting.md 4 to 8). */
function addContractActs(signed: Json, add: (name: string, example: OperationExample) => void): void {
  const terms = { terminationDetails: 'Виконано частково' };
  add('patchStandaloneContract', { request: { data: terms }, response: { data: { ...signed, ...terms } } });
  add('listContractChanges', { response: { data: [CHANGE] } });
  add('getContractChange', { response: { data: CHANGE } });
  add('createContractChange', { request: { data: RATIONALE }, response: { data: CHANGE } });
  const activation = { status: 'active', dateSigned: '2026-05-12T10:30:00+03:00' };
  add('patchContractChange', { request: { data: activation }, response: { data: { ...CHANGE, ...activation } } });
  const transaction = { id: '1001', ...PAYMENT, status: 'successful' };
  add('getContractTransaction', { response: { data: transaction } });
  add('putContractTransaction', {
    request: { data: PAYMENT },
    response: { data: { ...signed, implementation: { transactions: [transaction] } } },
  });
  add('changeContractOwner', {
    request: { data: { id: CHANGE.id, transfer: CHANGE.id } },
    response: { data: { id: signed['id'], owner: 'broker2' } },
  });
}

/** Nouns of operation names, and the operation whose answer is such an object. */
const COLLECTIONS = [
  ['Question', 'createQuestion'],
  ['Complaint', 'createComplaint'],
  ['AwardComplaint', 'createAwardComplaint'],
  ['Cancellation', 'createCancellation'],
  ['Lot', 'createLot'],
  ['Bid', 'getBid'],
  ['Award', 'patchAward'],
  ['Contract', 'patchContract'],
] as const;

const DOCUMENT_PARENTS = [
  'Tender',
  'Bid',
  'Award',
  'AwardComplaint',
  'Complaint',
  'Cancellation',
  'Contract',
  'StandaloneContract',
] as const;

function addDocuments(examples: Examples, add: (name: string, example: OperationExample) => void): void {
  const fallback = examples['createTenderDocument'];
  for (const parent of DOCUMENT_PARENTS) {
    const created = examples[`create${parent}Document`] ?? fallback;
    if (created === undefined) throw new Error('no story adds a document to a tender');
    const document = dataOf(created.response);
    const { title } = document;
    add(`create${parent}Document`, created);
    add(`list${parent}Documents`, { response: { data: [document] } });
    add(`get${parent}Document`, { response: { data: { ...document, previousVersions: [] } } });
    add(`put${parent}Document`, { ...created, response: { data: document } });
    add(`patch${parent}Document`, {
      request: { data: { title, documentType: 'notice' } },
      response: { data: { ...document, documentType: 'notice' } },
    });
  }
}

function isOperation(name: string): boolean {
  return selectRoutes({ sandbox: true }).some((route) => route.name === name);
}

function buildFeed(object: Json, collection: 'tenders' | 'contracts'): Json {
  // Seconds since 1970 (rulings R24).
  const offset = (Date.parse(String(object['dateModified'])) / 1_000).toFixed(6);
  const path = `/api/2.5/${collection}?offset=${offset}`;
  return {
    data: [pick(object, ['id', 'dateModified'])],
    next_page: { offset, path, uri: `https://api.example.org${path}` },
  };
}
