import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import { admitRequest, takeOver } from '@procurement/kit/http/take-over';
import { decideOwnershipChange } from '@procurement/domain/ownership-change';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { admitChangeOfOwner, presentOwner } from '../domain/ownership.decide.ts';
import { changeByRequest } from './change-by-request.ts';
import { tenderIdOf } from './path.ts';

/** `POST .../ownership` of a tender or of one of its complaints: 200 with the object's id and its new owner (http.md 3.6). */
export function changeOwner(deps: Deps): Handler {
  return async (request, reply) => {
    const tenderId = tenderIdOf(request);
    const complaintId = complaintIdOf(request);
    const found = presentOwner(await deps.tenders.state(tenderId), { complaintId });
    if ('refused' in found) throw new ProblemError(found.refused);
    const admission = admitRequest(request, (input) => admitChangeOfOwner(found.state, { complaintId }, input));
    const owner = await takeOver(deps, {
      admission,
      path: `/tenders/${tenderId}${complaintId === undefined ? '' : `/complaints/${complaintId}`}`,
      isDryRun: request.isDryRun,
      present: found.present,
      decide: decideOwnershipChange,
      store: async (change) => {
        const { actor } = admission;
        await changeByRequest(deps, request, {
          makeCommand: (meta) => ({ type: 'ChangeOwner', complaintId, change, meta }),
          actor,
        });
      },
    });
    return sendJson(reply, 200, JSON.stringify({ data: { id: complaintId ?? tenderId, owner } }));
  };
}

/** Safe cast: the router sets every named parameter of a matched path; that of a tender has none. */
function complaintIdOf(request: FastifyRequest): string | undefined {
  return (request.params as { readonly complaint_id?: string }).complaint_id;
}
