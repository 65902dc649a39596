import { invalid, type Description, type ErrorEntry, type Problem } from '@procurement/contracts/problems/problems';
import { relatedItemError, type DocumentInput } from '@procurement/contracts/resources/document';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import { TERMS_REFUSED } from './bid.guards.ts';

/** The `relatedItem` of each document must name an item or lot of the tender (bids-awards-auction.md 1.6). */
export function documentsRefusal(documents: readonly DocumentInput[], tender: TenderFacts): Problem | undefined {
  for (const document of documents) {
    const fault = relatedItemError(document, tender);
    if (fault === undefined) continue;
    const error = { location: 'documents', name: 'relatedItem', description: [fault] };
    return { ...invalid([error]), code: TERMS_REFUSED };
  }
  return undefined;
}

/**
 * Gives errors inside documents the location `documents` (http.md 2.6). An error of the list as a whole stays an error of the
 * bid's body.
 */
export function locateDocumentFaults(errors: readonly ErrorEntry[]): readonly ErrorEntry[] {
  return errors.flatMap((error): readonly ErrorEntry[] => {
    if (error.name !== 'documents') return [error];
    const faults: readonly Description[] = isList(error.description) ? error.description : [error.description];
    const listFaults = faults.filter((fault) => typeof fault === 'string');
    return [
      ...(listFaults.length === 0 ? [] : [{ ...error, description: listFaults }]),
      ...faults.flatMap((fault) => {
        if (typeof fault === 'string' || isList(fault)) return [];
        return Object.entries(fault).map(([name, description]) => ({ location: 'documents', name, description }));
      }),
    ];
  });
}

function isList(description: Description): description is readonly Description[] {
  return Array.isArray(description);
}
