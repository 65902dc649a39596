import { isObject } from './codec.ts';

/** Addresses of one public door in one segment. Services write all of theirs in segment 2.5. */
export interface Addresses {
  /** Scheme and host, without a slash at the end. */
  readonly base: string;
  /** As the client wrote it: an alias keeps its spelling (generations.md 1). */
  readonly segment: string;
}

/** The address in the request's segment. Addresses outside the API stay as they are. */
export function localAddress(address: string, { base, segment }: Addresses): string {
  const canonical = `${base}/api/2.5/`;
  return address.startsWith(canonical) ? `${base}/api/${segment}/${address.slice(canonical.length)}` : address;
}

/** The same for a path. */
export function localPath(path: string, { segment }: Addresses): string {
  return path.startsWith('/api/2.5/') ? `/api/${segment}/${path.slice('/api/2.5/'.length)}` : path;
}

/** Cheap test on a compact JSON text: false means that no document in it has an address of ours. */
export function mayHoldAddresses(text: string, { base }: Addresses): boolean {
  return text.includes(`"url":"${base}/api/2.5/`);
}

/** A copy in which every document, wherever it is nested, has its address in the request's segment. */
export function withLocalDocuments(value: unknown, addresses: Addresses): unknown {
  if (Array.isArray(value)) return value.map((element) => withLocalDocuments(element, addresses));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'documents' && Array.isArray(member)
        ? member.map((document) => localDocument(document, addresses))
        : withLocalDocuments(member, addresses),
    ]),
  );
}

function localDocument(document: unknown, addresses: Addresses): unknown {
  if (!isObject(document)) return document;
  const url = document['url'];
  return typeof url === 'string' ? { ...document, url: localAddress(url, addresses) } : document;
}

/** One record of a document, or a list of them, as the document endpoints answer it. */
export function localDocuments(data: unknown, addresses: Addresses): unknown {
  return Array.isArray(data)
    ? data.map((document: unknown) => localDocument(document, addresses))
    : localDocument(data, addresses);
}
