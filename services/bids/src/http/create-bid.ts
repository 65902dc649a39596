import { selectAccessTokens, withAccess } from '@procurement/kit/http/access';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import { LIST_ELEMENTS_MAX } from '@procurement/contracts/limits';
import { actorOf } from '@procurement/kit/http/actor';
import { sha256Hex } from '@procurement/kit/runtime/ids';
import type { Handler } from '@procurement/kit/http/mount';
import { readJsonBody } from '@procurement/kit/http/body';
import { idGeneratorFor } from '@procurement/kit/http/request-ids';
import { sendJson } from '@procurement/kit/http/server';
import type { Deps } from '../deps.ts';
import { addReceipt } from './add-receipt.ts';
import { bidViewWithoutDocuments, bidView, viewWithDocuments } from './bid.view.ts';
import { loadTender } from './path.ts';
import { writeBid, type WrittenBid } from './write-bid.ts';

/**
 * `POST /tenders/{id}/bids`: 201 with the bid, its `Location`, and the owner token, shown this once
 * (bids-awards-auction.md 1.2).
 */
export function createBid(deps: Deps): Handler {
  return async (request, reply) => {
    const tender = await loadTender(deps, request);
    const body = readJsonBody(request.headers['content-type'], request.body);
    const ids = idGeneratorFor(request.identity, deps.ids);
    const secrets = { token: ids.nextToken(), transfer: ids.nextToken() };
    const meta = {
      actor: actorOf(request.identity),
      settings: deps.settings,
      id: ids.next(),
      ownerTokenHash: sha256Hex(secrets.token),
      transferHash: sha256Hex(secrets.transfer),
    };
    const documentCount = countDocuments(body);
    // A repeat of a request that may have come through has the same seed and finds the bid that the first one made.
    const existing = request.identity.seed === undefined ? undefined : await deps.bids.find(meta.id);
    const written: WrittenBid =
      (existing === undefined ? undefined : { bid: existing }) ??
      (await writeBid(deps, {
        tender,
        correlationId: request.id,
        audit: request.audit,
        isDryRun: request.isDryRun,
        request: { type: 'RegisterBid', body, meta },
        documentIds: Array.from({ length: documentCount }, () => ids.next()),
      }));
    const view = await viewOfNewBid(deps, written, documentCount);
    reply.header('location', `${deps.config.PUBLIC_BASE_URL}/api/2.5/tenders/${tender.id}/bids/${written.bid.id}`);
    await addReceipt(deps, reply, written);
    return sendJson(reply, 201, withAccess(`{"data":${view}}`, selectAccessTokens(request, secrets)));
  };
}

async function viewOfNewBid(deps: Deps, { bid, documents }: WrittenBid, documentCount: number): Promise<string> {
  if (documentCount === 0) return bidViewWithoutDocuments(bid);
  return documents === undefined ? bidView(deps, bid) : viewWithDocuments(bid, { [bid.id]: [...documents] });
}

/** Documents in the body, up to the length from which a list is refused. */
function countDocuments(body: BodyResult): number {
  const documents = body.kind === 'data' ? body.data['documents'] : undefined;
  return Array.isArray(documents) ? Math.min(documents.length, LIST_ELEMENTS_MAX.bidDocuments) : 0;
}
