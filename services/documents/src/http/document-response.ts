import type { Deps } from '../deps.ts';
import type { DocumentVersion, ParentState } from '../domain/document.ts';
import { isPublic } from '../domain/document.visibility.ts';

/** The body after a write. A caller who may write may see; the address of the file depends on whether it is public. */
export function documentResponse(deps: Deps, version: DocumentVersion, parentState: ParentState): string {
  return JSON.stringify({ data: deps.documentView(version, isPublic(parentState) ? 'public' : 'sealed') });
}
