import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { changeTender } from './change-tender.ts';

/** `PUT /tenders/{id}`: replaces the editable members (tenders.md 11.2). Answers 200 with the tender after the change. */
export function putTender(deps: Deps): Handler {
  return changeTender(deps, 'PutTender');
}
