import { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { TenderState } from './tender.ts';

/** What the sibling services know of a tender. The schema cuts the document to it. */
export function tenderFacts({ version, owner, ownerTokenHash, document }: TenderState): TenderFacts {
  return TenderFacts.parse({ ...document, version, owner, ownerTokenHash });
}
