import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { changeTender } from './change-tender.ts';

/** `PUT /tenders/{id}`: replaces what the owner may edit (tenders.md 11.2). Answers 200 with the tender as it then is. */
export function putTender(deps: Deps): Handler {
  return changeTender(deps, 'PutTender');
}
