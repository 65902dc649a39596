import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { documentType, type DocumentPlace } from './codes.ts';
import { compact, idText, multilingual, asObjects, text, timestamp, uniqueById, uri } from './values.ts';

/** Where documents are: decides about their types and addresses. */
export interface DocumentsOf {
  readonly place: DocumentPlace;
  /** Address of the tender in the API. */
  readonly tenderUrl: string;
  /** Id of the bid, award, contract or cancellation. */
  readonly parentId?: unknown;
}

/** Collections of the parents of documents below the tender. */
const COLLECTIONS: Readonly<Record<Exclude<DocumentPlace, 'tender'>, string>> = {
  bid: 'bids',
  award: 'awards',
  contract: 'contracts',
  cancellation: 'cancellations',
};

/** One document of OCDS for each id, from all its versions (ocds.md 2.5). */
export function mapDocuments(documents: unknown, of: DocumentsOf): readonly JsonObject[] {
  const versionsById = new Map<string, JsonObject[]>();
  for (const version of asObjects(documents)) {
    const id = idText(version['id']);
    if (id !== undefined) versionsById.set(id, [...(versionsById.get(id) ?? []), version]);
  }
  return uniqueById([...versionsById].flatMap(([id, versions]) => mapDocument(id, versions, of)));
}

function mapDocument(id: string, unsorted: readonly JsonObject[], of: DocumentsOf): readonly JsonObject[] {
  // Stable: of versions of one moment the last in the list is the newest.
  const versions = unsorted.toSorted((a, b) => modifiedMs(a) - modifiedMs(b));
  const [oldest = {}, newest = {}] = [versions[0], versions.at(-1)];
  if (newest['confidentiality'] === 'buyerOnly') return [];
  return [
    compact({
      id,
      documentType: documentType(text(newest['documentType']), of.place, newest['documentOf']),
      ...multilingual(newest, 'title', 'description'),
      url: documentUrl(id, newest['url'], of),
      datePublished: timestamp(oldest['datePublished']),
      dateModified: timestamp(newest['dateModified']),
      format: text(newest['format']),
      language: text(newest['language']),
      relatedLots: newest['documentOf'] === 'lot' ? [idText(newest['relatedItem'])].filter(Boolean) : undefined,
    }),
  ];
}

function modifiedMs(version: JsonObject): number {
  return Date.parse(String(version['dateModified'])) || 0;
}

const KEY = /^[0-9a-f]{32}$/;

/**
 * The permanent address in this API. Not the address of the store: it has a signature, so every change of the signing key would
 * change every release.
 */
function documentUrl(id: string, shown: unknown, of: DocumentsOf): string | undefined {
  const address = uri(shown);
  const key = address === undefined ? undefined : parseKey(new URL(address));
  return key === undefined ? address : `${parentUrl(of)}/documents/${encodeURIComponent(id)}?download=${key}`;
}

function parentUrl({ place, tenderUrl, parentId }: DocumentsOf): string {
  if (place === 'tender') return tenderUrl;
  return `${tenderUrl}/${COLLECTIONS[place]}/${encodeURIComponent(idText(parentId) ?? '')}`;
}

function parseKey(url: URL): string | undefined {
  const key = url.searchParams.get('download') ?? /\/get\/([^/]+)$/.exec(url.pathname)?.[1];
  return key !== undefined && KEY.test(key) ? key : undefined;
}
