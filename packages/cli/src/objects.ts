import type { ApiRequest } from '@procurement/client';
import { readBody } from './body.ts';
import { requestAt, encodeSegment } from './request.ts';
import type { Session, WriteOptions } from './session.ts';
import { showList, showObject } from './show.ts';

/** Objects of the API that all commands treat alike. The path names the arguments; a column may be a member of a member. */
export interface Kind {
  readonly path: string;
  readonly description: string;
  readonly verbs: readonly Verb[];
  readonly columns: readonly string[];
  /** Where an object of the kind is below an award: the option --award. */
  readonly pathOfAward?: string;
}

export type Verb = keyof typeof VERBS;

interface VerbRow {
  readonly method: ApiRequest['method'];
  readonly description: string;
  /** About one object, which the last argument names. */
  readonly isOfOne?: boolean;
  readonly hasBody?: boolean;
  /** What is below the object. */
  readonly path?: string;
  /** When the answer is something else than an object of the kind. */
  readonly columns?: readonly string[];
}

export const VERBS = {
  list: { method: 'GET', description: 'show all of them' },
  get: { method: 'GET', description: 'show one', isOfOne: true },
  create: { method: 'POST', description: 'make one', hasBody: true },
  change: { method: 'PATCH', description: 'change members of one', isOfOne: true, hasBody: true },
  delete: { method: 'DELETE', description: 'delete one', isOfOne: true },
  test: {
    method: 'POST',
    description: 'send a test now, and show how it was answered',
    isOfOne: true,
    path: '/test',
    columns: ['status', 'error', 'milliseconds'],
  },
  secret: { method: 'POST', description: 'make a new secret and print it once', isOfOne: true, path: '/secret' },
  deliveries: {
    method: 'GET',
    description: 'show the last attempts, the newest first',
    isOfOne: true,
    path: '/deliveries',
    columns: ['at', 'type', 'position', 'attempt', 'status', 'error', 'milliseconds'],
  },
  'dead-letters': {
    method: 'GET',
    description: 'show the changes that were given up',
    isOfOne: true,
    path: '/dead-letters',
    columns: ['position', 'tender', 'attempts', 'lastError', 'date'],
  },
  redeliver: {
    method: 'POST',
    description: 'send changes again, from a position on',
    isOfOne: true,
    hasBody: true,
    path: '/redeliver',
  },
} as const satisfies Readonly<Record<string, VerbRow>>;

export const KINDS: Readonly<Record<string, Kind>> = {
  tender: {
    path: '/tenders',
    description: 'tenders',
    verbs: ['get', 'create', 'change'],
    columns: ['id', 'tenderID', 'status', 'title', 'dateModified', 'next_check'],
  },
  question: {
    path: '/tenders/<tender>/questions',
    description: 'questions about a tender, and their answers',
    verbs: ['list', 'get', 'create', 'change'],
    columns: ['id', 'date', 'title', 'answer'],
  },
  lot: {
    path: '/tenders/<tender>/lots',
    description: 'lots of a tender',
    verbs: ['list', 'get', 'create', 'change', 'delete'],
    columns: ['id', 'status', 'title', 'value.amount', 'value.currency'],
  },
  bid: {
    path: '/tenders/<tender>/bids',
    description: 'bids',
    verbs: ['list', 'get', 'create', 'change', 'delete'],
    columns: ['id', 'status', 'date', 'value.amount', 'value.currency'],
  },
  award: {
    path: '/tenders/<tender>/awards',
    description: 'awards of a tender',
    verbs: ['list', 'get', 'change'],
    columns: ['id', 'status', 'date', 'lotID', 'bid_id', 'value.amount', 'value.currency', 'complaintPeriod.endDate'],
  },
  contract: {
    path: '/tenders/<tender>/contracts',
    description: 'contracts, from their creation to their last payment',
    verbs: ['list'],
    columns: [
      'id',
      'status',
      'tender_id',
      'awardID',
      'contractID',
      'contractNumber',
      'dateSigned',
      'value.amount',
      'value.currency',
      'amountPaid.amount',
    ],
  },
  complaint: {
    path: '/tenders/<tender>/complaints',
    pathOfAward: '/tenders/<tender>/awards/<award>/complaints',
    description: 'claims and complaints about a tender, or with --award about an award',
    verbs: ['list', 'get', 'create', 'change'],
    columns: ['id', 'complaintID', 'type', 'status', 'title', 'resolutionType', 'satisfied'],
  },
  cancellation: {
    path: '/tenders/<tender>/cancellations',
    description: 'cancellations of a tender or a lot',
    verbs: ['list', 'get', 'create', 'change'],
    columns: ['id', 'status', 'date', 'cancellationOf', 'relatedLot', 'reason'],
  },
  webhook: {
    path: '/webhooks',
    description: 'webhooks: changes that are sent to you',
    verbs: ['list', 'get', 'create', 'change', 'delete', 'test', 'secret', 'deliveries', 'dead-letters', 'redeliver'],
    columns: ['id', 'status', 'url', 'position', 'waiting', 'deadLetters', 'lastError', 'secret'],
  },
};

export interface ObjectOptions extends WriteOptions {
  readonly award?: string;
}

/** The arguments of a command, in its order. */
export function argumentsOf(kind: Kind, verb: Verb): readonly string[] {
  const { isOfOne = false, hasBody = false }: VerbRow = VERBS[verb];
  const parents = [...kind.path.matchAll(/<(\w+)>/g)].map(([, name = '']) => name);
  return [...parents, ...(isOfOne ? ['id'] : []), ...(hasBody ? ['body'] : [])];
}

/** Runs a command about objects: one request, and its answer as a list or as one object. */
export async function runOnObjects(
  session: Session,
  [name, kind, verb]: readonly [string, Kind, Verb],
  values: readonly string[],
  { award, ...options }: ObjectOptions,
): Promise<void> {
  const { method, path: below = '', columns = kind.columns }: VerbRow = VERBS[verb];
  const given = Object.fromEntries(argumentsOf(kind, verb).map((argument, at) => [argument, values[at]]));
  const { id, body } = given;
  const collection = (award === undefined ? undefined : kind.pathOfAward) ?? kind.path;
  const parents: Readonly<Record<string, string | undefined>> = { ...given, award };
  const path = `${collection}${id === undefined ? '' : '/<id>'}${below}`.replaceAll(/<(\w+)>/g, (_all, argument) =>
    encodeSegment(argument, parents[argument] ?? ''),
  );
  const parts = body === undefined ? { data: {} } : await readBody(session, body);
  const answer = await requestAt(session, path, { method, options, ...(takesBody(method) ? parts : {}) });
  const shown = answer.body.data;
  // Every answer of the API has objects as data.
  if (Array.isArray(shown)) showList(session, shown, columns, `There are no ${below.slice(1) || `${name}s`}.`);
  else showObject(session, shown as object, [name, columns]);
}

function takesBody(method: ApiRequest['method']): boolean {
  return method !== 'GET' && method !== 'DELETE';
}
