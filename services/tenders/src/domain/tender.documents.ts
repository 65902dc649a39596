import type { DocumentParent } from '@procurement/contracts/events/document.events';
import type { AwardRecord } from '@procurement/contracts/resources/award-facts';
import type { TenderParts } from './tender.ts';

type View = Readonly<Record<string, unknown>>;

/** The documents of one parent in the order of creation; undefined when it has none. */
export type Filed = (kind: DocumentParent['kind'], id: string) => readonly View[] | undefined;

/** The public documents of a tender, by what they hang off (http.md 2). */
export function documentsOf({ documents }: Pick<TenderParts, 'documents'>): Filed {
  const byParent = new Map<string, View[]>();
  for (const { parent, document } of documents?.documents ?? []) {
    const key = `${parent.kind} ${parent.id}`;
    const list = byParent.get(key);
    if (list === undefined) byParent.set(key, [document]);
    else list.push(document);
  }
  return (kind, id) => byParent.get(`${kind} ${id}`);
}

/** An award with its documents, and with complaints that do not tell whose they are. */
export function awardView({ complaints, ...award }: AwardRecord, filed: Filed): View {
  return {
    ...award,
    ...(complaints === undefined || complaints.length === 0
      ? {}
      : {
          complaints: complaints.map(({ owner: _owner, ownerTokenHash: _hash, ...complaint }) => ({
            ...complaint,
            documents: filed('award complaint', complaint.id),
          })),
        }),
    documents: filed('award', award.id),
  };
}
