import { problem } from '@procurement/contracts/problems/problems';
import { toJsonText } from '@procurement/domain/json-text';
import { tenderTime } from '@procurement/domain/tender-time';
import { etagOf } from '@procurement/kit/http/etag';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Deps } from '../deps.ts';
import type { Subresource } from '../domain/subresource.ts';
import type { TenderState } from '../domain/tender.ts';

type View = Readonly<Record<string, unknown>>;

/** The public views of all objects of a collection, in the order of creation. */
export function listViews(deps: Deps, subresource: Subresource, state: TenderState): readonly View[] {
  return subresource.views(state, tenderTime(deps.clock.now(), state), deps.settings);
}

/** The public view of one object. Throws 404 when the tender has none with this id. */
export function requireView(deps: Deps, subresource: Subresource, state: TenderState, id: string): View {
  const view = listViews(deps, subresource, state).find((one) => one['id'] === id);
  if (view === undefined) throw new ProblemError(problem('object.not-found', { kind: subresource.kind }));
  return view;
}

/** The ETag of one object. Throws 404 when the tender has none with this id. */
export function subresourceEtag(deps: Deps, subresource: Subresource, state: TenderState, id: string): string {
  return etagOf(responseText(requireView(deps, subresource, state, id)));
}

/** The body of an answer. */
export function responseText(data: unknown): string {
  return `{"data":${toJsonText(data)}}`;
}
