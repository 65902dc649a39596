import { cancellationsApi } from '@procurement/contracts/api/cancellations.api';
import { complaintsApi } from '@procurement/contracts/api/complaints.api';
import { lotsApi } from '@procurement/contracts/api/lots.api';
import { questionsApi } from '@procurement/contracts/api/questions.api';
import { sandboxApi } from '@procurement/contracts/api/sandbox.api';
import { tendersApi } from '@procurement/contracts/api/tenders.api';
import { mountContracts } from '@procurement/kit/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { CANCELLATION, COMPLAINT, LOT, QUESTION } from './domain/tender-object.ts';
import { createTender } from './http/create-tender/route.ts';
import { getTender } from './http/get-tender/route.ts';
import { listTenders } from './http/list-tenders/route.ts';
import { moveClock } from './http/move-clock/route.ts';
import { patchTender } from './http/patch-tender/route.ts';
import { putTender } from './http/put-tender/route.ts';
import {
  changeObject,
  createObject,
  getObject,
  listObjects,
  objectMissing,
  removeObject,
} from './http/tender-objects/routes.ts';
import { tenderMissing } from './http/tender-missing.ts';

/** Mounts every operation that the contracts give to this service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  mountContracts(
    app,
    tendersApi,
    {
      listTenders: listTenders(deps),
      createTender: createTender(deps),
      getTender: getTender(deps),
      putTender: putTender(deps),
      patchTender: patchTender(deps),
    },
    tenderMissing(deps),
  );
  mountContracts(
    app,
    questionsApi,
    {
      listQuestions: listObjects(deps, QUESTION),
      createQuestion: createObject(deps, QUESTION),
      getQuestion: getObject(deps, QUESTION),
      patchQuestion: changeObject(deps, QUESTION),
    },
    objectMissing(deps, QUESTION),
  );
  mountContracts(
    app,
    complaintsApi,
    {
      listComplaints: listObjects(deps, COMPLAINT),
      createComplaint: createObject(deps, COMPLAINT),
      getComplaint: getObject(deps, COMPLAINT),
      patchComplaint: changeObject(deps, COMPLAINT),
    },
    objectMissing(deps, COMPLAINT),
  );
  mountContracts(
    app,
    cancellationsApi,
    {
      listCancellations: listObjects(deps, CANCELLATION),
      createCancellation: createObject(deps, CANCELLATION),
      getCancellation: getObject(deps, CANCELLATION),
      patchCancellation: changeObject(deps, CANCELLATION),
    },
    objectMissing(deps, CANCELLATION),
  );
  mountContracts(
    app,
    lotsApi,
    {
      listLots: listObjects(deps, LOT),
      createLot: createObject(deps, LOT),
      getLot: getObject(deps, LOT),
      patchLot: changeObject(deps, LOT),
      deleteLot: removeObject(deps, LOT, 'DeleteLot'),
    },
    objectMissing(deps, LOT),
  );
  if (deps.settings.sandbox) mountContracts(app, sandboxApi, { moveClock: moveClock(deps) }, tenderMissing(deps));
}
