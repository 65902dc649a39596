import type { Handler } from '@procurement/kit/http/mount';
import type { Deps } from '../deps.ts';
import { changeTender } from './change-tender.ts';

/** `PATCH /tenders/{id}`: changes the members sent (tenders.md 11.1). Answers 200 with the tender after the change. */
export function patchTender(deps: Deps): Handler {
  return changeTender(deps, 'PatchTender');
}
