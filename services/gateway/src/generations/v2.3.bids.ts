import { invalid, type ErrorEntry, type Problem } from '@procurement/contracts/problems';
import { readBidStatus, shownBidStatus } from './bid-status.ts';
import { isObject, type JsonObject } from './codec.ts';
import { readParty, shownParty } from './party.ts';

/** A canonical bid as segment 2.3 shows it (generations.md 3.7). Documents are turned by the caller. */
export function shownBid(bid: unknown): unknown {
  if (!isObject(bid)) return bid;
  const shown: Record<string, unknown> = { ...bid };
  if (Object.hasOwn(bid, 'status')) shown['status'] = shownBidStatus(bid['status']);
  if (Array.isArray(bid['tenderers'])) shown['tenderers'] = bid['tenderers'].map(shownParty);
  return shown;
}

/**
 * A bid of a request in canonical shape; both spellings of parties are read. Names that are unknown to every generation
 * are left for the service, which calls them what the client called them.
 */
export function readBid(data: JsonObject, on: 'create' | 'change'): { data: JsonObject } | { refused: Problem } {
  const read: Record<string, unknown> = { ...data };
  const errors: ErrorEntry[] = [];
  if (Object.hasOwn(data, 'status')) {
    const status = readBidStatus(data['status'], on);
    if (status.kind === 'refused') errors.push({ location: 'body', name: 'status', description: [status.message] });
    else if (status.kind === 'drop') delete read['status'];
    else read['status'] = status.status;
  }
  if (Array.isArray(data['tenderers'])) {
    const parties = data['tenderers'].map((party: unknown) => readParty(party, { scheme: on === 'create' }));
    // Of a list only its first failing element is told, unwrapped (http.md 4.4, pass 1).
    const failing = parties.find((party) => 'fault' in party);
    if (failing !== undefined && 'fault' in failing) {
      errors.push({ location: 'body', name: 'tenderers', description: failing.fault.description });
    } else read['tenderers'] = parties.map((party) => ('party' in party ? party.party : undefined));
  }
  return errors.length > 0 ? { refused: invalid(errors) } : { data: read };
}
