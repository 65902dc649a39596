/** Parts of the page of a contract, by their ids; `head` is what stands before the first of them. */
export type ContractPart = 'head' | 'facts' | 'now' | 'amendments' | 'payments' | 'items' | 'documents' | 'data';

/** The part that shows a member of a contract, by its path. A member without a row is in the part of the object that has it. */
export const CONTRACT_SHOWN_IN: Readonly<Record<string, ContractPart>> = {
  title: 'head',
  status: 'head',
  mode: 'head',
  procuringEntity: 'facts',
  suppliers: 'facts',
  value: 'facts',
  amountPaid: 'facts',
  period: 'facts',
  dateSigned: 'facts',
  contractNumber: 'facts',
  contractID: 'facts',
  date: 'now',
  terminationDetails: 'now',
  description: 'items',
  items: 'items',
  changes: 'amendments',
  'implementation.transactions': 'payments',
  documents: 'documents',
  id: 'data',
  tender_id: 'data',
  owner: 'data',
  dateCreated: 'data',
  dateModified: 'data',
};

/** Members that the page does not show, by their paths, and why. Programs find them in the open data, to which the page links. */
export const CONTRACT_NOT_SHOWN: readonly (readonly [members: RegExp, reason: string])[] = [
  [/_ru$/, 'the pages are Ukrainian and English'],
  [/^buyer(?:\.|$)/, 'the procuring entity under another name'],
  [/^awardID$/, 'names a part of the tender for programs'],
  [/^suppliers\[\]\.contactPoint\./, 'whether contact persons of bidders are shown is open (portal.md 16)'],
  [/^(?:changes|documents|items)\[\]\.id$/, 'names a part for programs; readers see its title'],
  [/documentOf$/, 'the page names the change or the item itself'],
  [/(?:hash|sha256)$/, 'for programs that verify a file'],
  [/datePublished$/, 'the instant of the last change is shown'],
  [/classification\.scheme$/, 'both dictionaries have the same codes, under one heading'],
  [/[cC]lassifications?(?:\[\])?\.uri$/, 'an address of the dictionary, which the code names'],
  [/unit\.code$/, 'the name of the unit is shown'],
];
