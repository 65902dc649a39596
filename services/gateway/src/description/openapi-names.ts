import type { DescribedRoute } from './described-route.ts';

/** Groups of operations by the last part of their path that is named here. */
const TAGS: Readonly<Record<string, string>> = {
  tenders: 'Tenders, and the feed of their changes',
  lots: 'Lots of a tender',
  questions: 'Questions about a tender, and their answers',
  complaints: 'Claims and complaints about a tender or an award',
  cancellations: 'Cancellations of a tender or a lot',
  documents: 'Files of a tender and of what belongs to it',
  bids: 'Bids, sealed until they are opened',
  bidders: 'Bids, under the name of segment 0.1',
  auction: 'What an auction component reads and reports',
  awards: 'Decisions about the bids',
  contracts: 'Contracts of the awards',
  transfers: 'Changes of the owner of an object',
  stream: 'Changes as they happen',
  webhooks: 'Changes that are sent to a broker',
  history: 'Every public state of a tender',
  search: 'Tenders by words and filters, and buyers by name',
  lookup: 'Many tenders at once',
  statistics: 'Sums over tenders',
  exports: 'Everything in files',
  ocds: 'Releases and records of the Open Contracting Data Standard',
  clock: 'The time of a tender in a sandbox',
  service: 'What this service is',
};

export function tagOf({ path }: DescribedRoute): string {
  return path.split('/').findLast((part) => part in TAGS) ?? 'service';
}

/** The tags that the operations have, in the order of the table. */
export function selectTags(
  paths: Readonly<Record<string, Readonly<Record<string, { readonly tags?: unknown }>>>>,
): readonly { readonly name: string; readonly description: string }[] {
  const used = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)));
  return Object.entries(TAGS).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []));
}

/** Parameters of paths that are no identifier of an object with that name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  auction_lot_id: 'Identifier of the lot of the auction',
  rev: 'Number of a revision, from 1',
  ocid: 'Open contracting identifier of the process',
  position: 'Position of the change in the feed',
  export_id: 'Name of the export, or `latest-` and a kind',
  file_id: 'Name of a file in the manifest',
  transaction_id: 'Identifier of the payment, chosen by its sender',
};

/** `tender_id`: the identifier of the tender. */
export function describedParameter(name: string): string {
  return PARAMETERS[name] ?? `Identifier of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}`;
}

/** Identifiers that services make in one form only. Others may come from other systems. */
const PATTERNS: Readonly<Record<string, string>> = {
  tender_id: '^[0-9a-f]{32}$',
  webhook_id: '^[0-9a-f]{32}$',
  rev: '^[0-9]{1,15}$',
  transaction_id: '^[A-Za-z0-9._:-]{1,64}$',
};

export function pathPatternOf(name: string): { readonly pattern?: string } {
  const pattern = PATTERNS[name];
  return pattern === undefined ? {} : { pattern };
}
