import type { DocumentParent } from '@procurement/contracts/events/document.events';
import type { AwardRecord } from '@procurement/contracts/resources/award-facts';
import type { TenderParts } from './tender.ts';

type View = Readonly<Record<string, unknown>>;

/** The documents of one parent in the order of creation; `undefined` when it has none. */
export type DocumentsOfParent = (kind: DocumentParent['kind'], id: string) => readonly View[] | undefined;

/** Indexes the public documents of a tender by their parent (http.md 2). */
export function documentsByParent({ documents }: Pick<TenderParts, 'documents'>): DocumentsOfParent {
  const byParent = new Map<string, View[]>();
  for (const { parent, document } of documents?.documents ?? []) {
    const key = `${parent.kind} ${parent.id}`;
    const list = byParent.get(key);
    if (list === undefined) byParent.set(key, [document]);
    else list.push(document);
  }
  return (kind, id) => byParent.get(`${kind} ${id}`);
}

/** The public view of an award: with documents, and without the owners of its complaints. */
export function awardView({ complaints, ...award }: AwardRecord, documentsOf: DocumentsOfParent): View {
  return {
    ...award,
    ...(complaints === undefined || complaints.length === 0
      ? {}
      : {
          complaints: complaints.map(({ owner: _owner, ownerTokenHash: _hash, ...complaint }) => ({
            ...complaint,
            documents: documentsOf('award complaint', complaint.id),
          })),
        }),
    documents: documentsOf('award', award.id),
  };
}
