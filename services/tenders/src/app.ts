import { cancellationsApi } from '@procurement/contracts/api/cancellations.api';
import { complaintsApi } from '@procurement/contracts/api/complaints.api';
import { lotsApi } from '@procurement/contracts/api/lots.api';
import { questionsApi } from '@procurement/contracts/api/questions.api';
import { sandboxApi } from '@procurement/contracts/api/sandbox.api';
import { complaintOwnershipApi, tenderOwnershipApi, transfersApi } from '@procurement/contracts/api/transfers.api';
import { tendersApi } from '@procurement/contracts/api/tenders.api';
import { answerAlone, mountReads } from '@procurement/kit/http/answer-reads';
import { mountContracts } from '@procurement/kit/http/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { CANCELLATION, COMPLAINT, LOT, QUESTION } from './domain/subresource.ts';
import { changeOwner } from './http/change-owner.ts';
import { createSubresource } from './http/create-subresource.ts';
import { createTender } from './http/create-tender.ts';
import { createTransfer } from './http/create-transfer.ts';
import { deleteSubresource } from './http/delete-subresource.ts';
import { getSubresource } from './http/get-subresource.ts';
import { getTender } from './http/get-tender.ts';
import { getTransfer, transferMissing } from './http/get-transfer.ts';
import { listSubresources } from './http/list-subresources.ts';
import { listTenders } from './http/list-tenders.ts';
import { moveClock } from './http/move-clock.ts';
import { patchSubresource } from './http/patch-subresource.ts';
import { patchTender } from './http/patch-tender.ts';
import { tenderMissing } from './http/path.ts';
import { readClock } from './http/read-clock.ts';
import { putTender } from './http/put-tender.ts';
import { subresourceMissing } from './http/subresource-path.ts';

// Reads that travel together.
const FEED_URL = /^\/tenders(?:\?|$)/;
const TENDER_URL = /^\/tenders\/[^/?]+(?:\?|$)/;

/** Mounts every operation whose contract names this service as owner. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  const [feed, tender] = [listTenders(deps), getTender(deps)];
  mountReads(app, (url) => (FEED_URL.test(url) ? feed : TENDER_URL.test(url) ? tender : undefined));
  mountContracts(
    app,
    tendersApi,
    {
      listTenders: answerAlone(feed),
      createTender: createTender(deps),
      getTender: answerAlone(tender),
      putTender: putTender(deps),
      patchTender: patchTender(deps),
    },
    tenderMissing(deps),
  );
  mountContracts(
    app,
    questionsApi,
    {
      listQuestions: listSubresources(deps, QUESTION),
      createQuestion: createSubresource(deps, QUESTION),
      getQuestion: getSubresource(deps, QUESTION),
      patchQuestion: patchSubresource(deps, QUESTION),
    },
    subresourceMissing(deps, QUESTION),
  );
  mountContracts(
    app,
    complaintsApi,
    {
      listComplaints: listSubresources(deps, COMPLAINT),
      createComplaint: createSubresource(deps, COMPLAINT),
      getComplaint: getSubresource(deps, COMPLAINT),
      patchComplaint: patchSubresource(deps, COMPLAINT),
    },
    subresourceMissing(deps, COMPLAINT),
  );
  mountContracts(
    app,
    cancellationsApi,
    {
      listCancellations: listSubresources(deps, CANCELLATION),
      createCancellation: createSubresource(deps, CANCELLATION),
      getCancellation: getSubresource(deps, CANCELLATION),
      patchCancellation: patchSubresource(deps, CANCELLATION),
    },
    subresourceMissing(deps, CANCELLATION),
  );
  mountContracts(
    app,
    lotsApi,
    {
      listLots: listSubresources(deps, LOT),
      createLot: createSubresource(deps, LOT),
      getLot: getSubresource(deps, LOT),
      patchLot: patchSubresource(deps, LOT),
      deleteLot: deleteSubresource(deps, LOT, 'DeleteLot'),
    },
    subresourceMissing(deps, LOT),
  );
  const transfers = { createTransfer: createTransfer(deps), getTransfer: getTransfer(deps) };
  mountContracts(app, transfersApi, transfers, transferMissing(deps));
  mountContracts(app, tenderOwnershipApi, { changeTenderOwner: changeOwner(deps) }, tenderMissing(deps));
  const complaintMissing = subresourceMissing(deps, COMPLAINT);
  mountContracts(app, complaintOwnershipApi, { changeComplaintOwner: changeOwner(deps) }, complaintMissing);
  if (!deps.settings.sandbox) return;
  const sandbox = { readClock: readClock(deps), moveClock: moveClock(deps) };
  mountContracts(app, sandboxApi, sandbox, tenderMissing(deps));
}
