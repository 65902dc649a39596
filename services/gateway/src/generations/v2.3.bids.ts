import { mergePatch } from '@procurement/contracts/merge';
import { invalid, type ErrorEntry } from '@procurement/contracts/problems';
import { bidStatusForm, readBidStatus, type Drafts } from './bid-status.ts';
import { isObject, type JsonObject, type RequestReading } from './codec.ts';
import { each, kept, object, shownIn, type Form } from './forms.ts';
import { ORGANIZATION_IDENTITY, withIdentity } from './identity.ts';
import { mergeDiff } from './merge-diff.ts';
import { partyForm, readParties } from './party.ts';

/** A canonical bid as segments 2.3 and 0 show it (generations.md 3.7). */
export function bidForm(drafts: Drafts): Form {
  return object({ tenderers: shownIn(each(partyForm())), status: shownIn(bidStatusForm(drafts)) }, kept);
}

export interface BidContext {
  readonly on: 'create' | 'change';
  readonly drafts: Drafts;
  /** The canonical bid that is changed; needed when its tenderers are. */
  readonly stored?: JsonObject | undefined;
}

/** True when a change of a bid says something of its tenderers, who have more to them than old generations show. */
export function bidNeedsStored(data: JsonObject): boolean {
  return Array.isArray(data['tenderers']);
}

/**
 * A bid of a request in canonical shape; both spellings of parties are read. Names that are unknown to every generation
 * are left for the service, which calls them what the client called them.
 */
export function readBid(data: JsonObject, { on, drafts, stored }: BidContext): RequestReading {
  const read: Record<string, unknown> = { ...data };
  const errors: ErrorEntry[] = [];
  if (Object.hasOwn(data, 'status')) {
    const status = readBidStatus(data['status'], on, drafts);
    if (status.kind === 'refused') errors.push({ location: 'body', name: 'status', description: [status.message] });
    else if (status.kind === 'drop') delete read['status'];
    else read['status'] = status.status;
  }
  if (Array.isArray(data['tenderers'])) {
    const reading = readParties(data['tenderers'], on === 'create', stored?.['tenderers']);
    if ('fault' in reading) {
      errors.push({ location: 'body', name: 'tenderers', description: reading.fault.description });
    } else read['tenderers'] = stored === undefined ? reading.parties : changedParties(stored, reading.parties);
  }
  return errors.length > 0 ? { refused: invalid(errors) } : { data: read };
}

/** The PATCH of a list of parties by position, in which a party that became another one loses what belonged to the old. */
function changedParties(stored: JsonObject, sent: readonly unknown[]): unknown {
  const before = stored['tenderers'];
  const merged = mergePatch({ tenderers: before }, { tenderers: sent })['tenderers'];
  if (!Array.isArray(before) || !Array.isArray(merged)) return sent;
  const next = merged.map((party: unknown, at) => {
    const [old, wish]: readonly unknown[] = [before[at], sent[at]];
    return isObject(old) && isObject(party) && isObject(wish)
      ? withIdentity(ORGANIZATION_IDENTITY, old, party, wish)
      : party;
  });
  return mergeDiff({ tenderers: before }, { tenderers: next })['tenderers'] ?? before.map(() => ({}));
}
