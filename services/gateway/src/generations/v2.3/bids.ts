import { mergePatch } from '@procurement/domain/merge';
import { invalid, type ErrorEntry } from '@procurement/contracts/problems/problems';
import { bidStatusEncoder, decodeBidStatus, type DraftSupport } from '../bid-status.ts';
import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import type { DecodeResult } from '../codec.ts';
import { rewriteEach, type ValueRewriter } from '../../json/json-rewriter.ts';
import { ORGANIZATION_IDENTITY, dropHiddenOnIdentityChange } from '../identity-change.ts';
import { makeEncoder } from '../encode-for-2.3-and-0.ts';
import type { Segment23Or0 } from '../member-table-for-2.3-and-0.ts';
import { mergeDiff } from '../merge-diff.ts';
import { partyEncoder, decodeParties } from '../party.ts';

/** Encodes a canonical bid for segments 2.3 and 0 (generations.md 3.7). */
export function bidEncoder(segment: Segment23Or0, drafts: DraftSupport): ValueRewriter {
  return makeEncoder('Bid', segment, { tenderers: rewriteEach(partyEncoder()), status: bidStatusEncoder(drafts) });
}

export interface BidDecodeOptions {
  readonly operation: 'create' | 'change';
  readonly drafts: DraftSupport;
  /** The canonical bid that is changed; needed when its tenderers are. */
  readonly stored?: JsonObject | undefined;
}

/** True when a change has tenderers: their hidden members must be kept. */
export function bidNeedsStored(data: JsonObject): boolean {
  return Array.isArray(data['tenderers']);
}

/**
 * Decodes a bid of a request to canonical shape; a party may be in `id` form or canonical. Unknown names pass to the
 * service, which refuses them under the client's name.
 */
export function decodeBid(data: JsonObject, { operation, drafts, stored }: BidDecodeOptions): DecodeResult {
  const decoded: Record<string, unknown> = { ...data };
  const errors: ErrorEntry[] = [];
  if (Object.hasOwn(data, 'status')) {
    const status = decodeBidStatus(data['status'], operation, drafts);
    if (status.kind === 'refused') errors.push({ location: 'body', name: 'status', description: [status.message] });
    else if (status.kind === 'drop') delete decoded['status'];
    else decoded['status'] = status.status;
  }
  if (Array.isArray(data['tenderers'])) {
    const result = decodeParties(data['tenderers'], operation === 'create', stored?.['tenderers']);
    if ('fault' in result) {
      errors.push({ location: 'body', name: 'tenderers', description: result.fault.description });
    } else decoded['tenderers'] = stored === undefined ? result.parties : partiesPatch(stored, result.parties);
  }
  return errors.length > 0 ? { refused: invalid(errors) } : { data: decoded };
}

/** The canonical PATCH of the parties, matched by position. A party with another identity loses its hidden members. */
function partiesPatch(stored: JsonObject, sent: readonly unknown[]): unknown {
  const storedParties = stored['tenderers'];
  const merged = mergePatch({ tenderers: storedParties }, { tenderers: sent })['tenderers'];
  if (!Array.isArray(storedParties) || !Array.isArray(merged)) return sent;
  const next = merged.map((party: unknown, at) => {
    const [old, sentParty]: readonly unknown[] = [storedParties[at], sent[at]];
    return isJsonObject(old) && isJsonObject(party) && isJsonObject(sentParty)
      ? dropHiddenOnIdentityChange(ORGANIZATION_IDENTITY, old, party, sentParty)
      : party;
  });
  return mergeDiff({ tenderers: storedParties }, { tenderers: next })['tenderers'] ?? storedParties.map(() => ({}));
}
