import { z } from 'zod';
import {
  ContractDocumentInput,
  ContractDocumentPatch,
  Document,
  DocumentInput,
  DocumentPatch,
  DocumentWithHistory,
} from '../resources/document.ts';
import type { DocumentParent } from '../events/document.events.ts';
import type { Method, RouteContract } from './route.ts';

/** Segment 0.1 has documents of tenders and bids only, and no PATCH of them (generations.md 6). */
function segmentsOf(operation: DocumentOperation, collection: DocumentCollection): RouteContract['segments'] {
  const { parent } = collection;
  if (isOfContractAddress(collection)) return ['2.5'];
  const isInOldestSegment = (parent === 'tender' || parent === 'bid') && operation !== 'patch';
  return isInOldestSegment ? ['2.5', '2.3', '0', '0.1'] : ['2.5', '2.3', '0'];
}

/** One collection of documents: its parent, and its names in paths, operations and texts. */
export interface DocumentCollection {
  readonly parent: DocumentParent['kind'];
  readonly path: string;
  /** Completes the name of an operation: `listTenderDocuments`. */
  readonly name: string;
  readonly noun: string;
}

/** Every collection of documents (http.md 2.2, 6.4). Questions have none. */
export const documentCollections = [
  { parent: 'tender', path: '/tenders/:tender_id/documents', name: 'Tender', noun: 'a tender' },
  { parent: 'bid', path: '/tenders/:tender_id/bids/:bid_id/documents', name: 'Bid', noun: 'a bid' },
  { parent: 'award', path: '/tenders/:tender_id/awards/:award_id/documents', name: 'Award', noun: 'an award' },
  {
    parent: 'award complaint',
    path: '/tenders/:tender_id/awards/:award_id/complaints/:complaint_id/documents',
    name: 'AwardComplaint',
    noun: 'a complaint about an award',
  },
  {
    parent: 'complaint',
    path: '/tenders/:tender_id/complaints/:complaint_id/documents',
    name: 'Complaint',
    noun: 'a complaint about a tender',
  },
  {
    parent: 'cancellation',
    path: '/tenders/:tender_id/cancellations/:cancellation_id/documents',
    name: 'Cancellation',
    noun: 'a cancellation',
  },
  {
    parent: 'contract',
    path: '/tenders/:tender_id/contracts/:contract_id/documents',
    name: 'Contract',
    noun: 'a contract',
  },
  {
    parent: 'contract',
    path: '/contracts/:contract_id/documents',
    name: 'StandaloneContract',
    noun: 'a contract, by its own address',
  },
] as const satisfies readonly DocumentCollection[];

/** Whether a collection is that of contracts at their own addresses, which has rules of its own (contracting.md 6). */
export function isOfContractAddress({ path }: Pick<DocumentCollection, 'path'>): boolean {
  return !path.startsWith('/tenders/');
}

/** An operation on a collection of documents, or on one of them. */
export type DocumentOperation = 'list' | 'create' | 'get' | 'put' | 'patch';

/** Body schemas of the operations: the same for every collection inside a tender. */
export const documentBodies = {
  create: DocumentInput,
  put: DocumentInput,
  patch: DocumentPatch,
} as const satisfies Partial<Record<DocumentOperation, z.ZodType>>;

/** Body schemas of the operations at a contract's own address. */
export const contractDocumentBodies = {
  create: ContractDocumentInput,
  put: ContractDocumentInput,
  patch: ContractDocumentPatch,
} as const satisfies Record<keyof typeof documentBodies, z.ZodType>;

interface OperationSpec {
  readonly method: Method;
  readonly onSingleDocument: boolean;
  readonly summary: string;
  readonly description: string;
  readonly contract: Pick<RouteContract, 'query' | 'upload' | 'responses'>;
}

const OPERATIONS: Readonly<Record<DocumentOperation, OperationSpec>> = {
  list: {
    method: 'GET',
    onSingleDocument: false,
    summary: 'Documents of',
    description: 'The newest version of every document. With `all` every version, oldest first.',
    contract: {
      query: z.object({ all: z.string().optional().describe('Any text: every version') }),
      responses: { 200: z.array(Document) },
    },
  },
  create: {
    method: 'POST',
    onSingleDocument: false,
    summary: 'Add a document to',
    description:
      'Uploads a file as multipart/form-data, or registers a file that is at the document service by its `url` and `hash` as JSON.',
    contract: { upload: true, responses: { 201: Document } },
  },
  get: {
    method: 'GET',
    onSingleDocument: true,
    summary: 'A document and its earlier versions, of',
    description:
      'The newest version, with the earlier ones in `previousVersions`. With `download` a redirect to the file.',
    contract: {
      query: z.object({
        download: z.string().optional().describe('Key of a version, of its `url`: a redirect to the file'),
      }),
      responses: { 200: DocumentWithHistory },
    },
  },
  put: {
    method: 'PUT',
    onSingleDocument: true,
    summary: 'Add a version to a document of',
    description:
      'The document keeps its identifier and gets a new file. JSON keeps the members that the body leaves out.',
    contract: { upload: true, responses: { 200: Document } },
  },
  patch: {
    method: 'PATCH',
    onSingleDocument: true,
    summary: 'Change the description of a document of',
    description: 'Changes title, description, type, format, language or related item. The file stays; PUT replaces it.',
    contract: { responses: { 200: Document } },
  },
};

/** Name of an operation on a collection: `listTenderDocuments`, `putBidDocument`. */
export function documentRouteName(operation: DocumentOperation, { name }: DocumentCollection): string {
  return `${operation}${name}Document${operation === 'list' ? 's' : ''}`;
}

function buildRoute(operation: DocumentOperation, collection: DocumentCollection): RouteContract {
  const { method, onSingleDocument, summary, description, contract } = OPERATIONS[operation];
  const bodies: Partial<Record<DocumentOperation, z.ZodType>> = isOfContractAddress(collection)
    ? contractDocumentBodies
    : documentBodies;
  const body = bodies[operation];
  const sporePrefix = isOfContractAddress(collection) || collection.parent === 'tender' ? '' : 'tender ';
  const verb = `${method.toLowerCase()}${onSingleDocument ? '' : '_collection'}`;
  return {
    name: documentRouteName(operation, collection),
    method,
    path: onSingleDocument ? `${collection.path}/:document_id` : collection.path,
    owner: 'documents',
    spore: `${verb}_${sporePrefix}${collection.parent} documents`,
    summary: `${summary} ${collection.noun}`,
    description,
    segments: segmentsOf(operation, collection),
    ...(collection.parent === 'bid' && method === 'GET' ? { sealed: true } : {}),
    ...(body === undefined ? {} : { body }),
    ...contract,
  };
}

// The keys of a constant object are its type's keys.
const operationNames = Object.keys(OPERATIONS) as DocumentOperation[];

/** Operations of the documents service: eight collections, five operations each (http.md 2, contracting.md 6). */
export const documentsApi: Readonly<Record<string, RouteContract>> = Object.fromEntries(
  documentCollections.flatMap((collection) =>
    operationNames.map((operation) => {
      const route = buildRoute(operation, collection);
      return [route.name, route];
    }),
  ),
);
