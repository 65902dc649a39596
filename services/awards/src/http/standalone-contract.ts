import { formatServerDate } from '@procurement/contracts/reading/instant';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { splitAtDateModified } from '@procurement/domain/date-modified';
import { withAccess, type AccessTokens } from '@procurement/kit/http/access';
import { sendJson } from '@procurement/kit/http/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import type { Awarding } from '../domain/awarding.ts';
import { ownerOfContract } from '../domain/awarding.permissions.ts';
import { contractView, selectDocuments, type Documents } from '../domain/awarding.view.ts';
import { buildContractView } from '../store/contract-feed.row.ts';
import { requireContract } from './path.ts';
import { dataText } from './response.ts';

/**
 * What `GET /contracts/{id}` shows on the segment of a request: on 2.5 the contract as it is now, with a placeholder for `dateModified`;
 * on 2.3 as it was signed, with its owner and the id of its tender (rulings R34). Throws 404.
 */
export function standaloneContractView(
  awarding: Awarding,
  id: string,
  documents: Documents,
  { identity }: Pick<FastifyRequest, 'identity'>,
): JsonObject {
  const contract = requireContract(awarding, id);
  if (identity.segment === '2.5')
    return buildContractView(awarding, contract, selectDocuments(documents, 'contract', id));
  return { ...contractView(contract, documents), tender_id: awarding.id, owner: ownerOfContract(awarding, id) };
}

/** Answers 200 with a contract at its own address after a command: on 2.5 with the text that was published. */
export async function sendStandaloneContract(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { awarding, id, access }: { readonly awarding: Awarding; readonly id: string; readonly access?: AccessTokens },
): Promise<FastifyReply> {
  return sendJson(reply, 200, withAccess(await readText(deps, request, awarding, id), access));
}

async function readText(deps: Deps, request: FastifyRequest, awarding: Awarding, id: string): Promise<string> {
  const isCurrent = request.identity.segment === '2.5';
  const published = isCurrent && !request.isDryRun ? await deps.contracts.view(id) : undefined;
  if (published !== undefined) return published.body;
  const text = dataText(standaloneContractView(awarding, id, await deps.documents.find(awarding.id), request));
  if (!isCurrent) return text;
  const { head, tail } = splitAtDateModified(text);
  return head + formatServerDate(deps.clock.now()) + tail;
}
