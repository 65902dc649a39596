import { awardComplaintsApi } from '@procurement/contracts/api/award-complaints.api';
import { awardsApi } from '@procurement/contracts/api/awards.api';
import { contractFeedApi } from '@procurement/contracts/api/contract-feed.api';
import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { implementationApi } from '@procurement/contracts/api/implementation.api';
import { awardComplaintOwnershipApi, contractOwnershipApi } from '@procurement/contracts/api/transfers.api';
import { mountContracts } from '@procurement/kit/http/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import { changeAwardComplaintOwner } from './http/change-award-complaint-owner.ts';
import { changeContractOwner } from './http/change-contract-owner.ts';
import { createAwardComplaint } from './http/create-award-complaint.ts';
import { createAward } from './http/create-award.ts';
import { createContractChange } from './http/create-contract-change.ts';
import { createContract } from './http/create-contract.ts';
import { getAwardComplaint } from './http/get-award-complaint.ts';
import { getAward } from './http/get-award.ts';
import { getContractChange } from './http/get-contract-change.ts';
import { getContractTransaction } from './http/get-contract-transaction.ts';
import { getContract } from './http/get-contract.ts';
import { getStandaloneContract } from './http/get-standalone-contract.ts';
import { listAllContracts } from './http/list-all-contracts.ts';
import { listAwardComplaints } from './http/list-award-complaints.ts';
import { listAwards } from './http/list-awards.ts';
import { listContractChanges } from './http/list-contract-changes.ts';
import { listContracts } from './http/list-contracts.ts';
import { patchAwardComplaint } from './http/patch-award-complaint.ts';
import { patchAward } from './http/patch-award.ts';
import { patchContractChange } from './http/patch-contract-change.ts';
import { patchContractCredentials } from './http/patch-contract-credentials.ts';
import { patchContract } from './http/patch-contract.ts';
import { requirePathObjects } from './http/path.ts';
import { patchStandaloneContract } from './http/patch-standalone-contract.ts';
import { putContractTransaction } from './http/put-contract-transaction.ts';

/** Mounts every operation of this service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  const requireObjects = requirePathObjects(deps);
  mountContracts(
    app,
    awardsApi,
    {
      listAwards: listAwards(deps),
      createAward: createAward(deps),
      getAward: getAward(deps),
      patchAward: patchAward(deps),
    },
    requireObjects,
  );
  mountContracts(
    app,
    awardComplaintsApi,
    {
      listAwardComplaints: listAwardComplaints(deps),
      createAwardComplaint: createAwardComplaint(deps),
      getAwardComplaint: getAwardComplaint(deps),
      patchAwardComplaint: patchAwardComplaint(deps),
    },
    requireObjects,
  );
  mountContracts(
    app,
    contractsApi,
    {
      listContracts: listContracts(deps),
      createContract: createContract(deps),
      getContract: getContract(deps),
      patchContract: patchContract(deps),
      getStandaloneContract: getStandaloneContract(deps),
      patchStandaloneContract: patchStandaloneContract(deps),
      patchContractCredentials: patchContractCredentials(deps),
    },
    requireObjects,
  );
  mountContracts(app, contractFeedApi, { listAllContracts: listAllContracts(deps) }, async () => undefined);
  mountContracts(
    app,
    implementationApi,
    {
      listContractChanges: listContractChanges(deps),
      createContractChange: createContractChange(deps),
      getContractChange: getContractChange(deps),
      patchContractChange: patchContractChange(deps),
      putContractTransaction: putContractTransaction(deps),
      getContractTransaction: getContractTransaction(deps),
    },
    requireObjects,
  );
  const complaintOwner = { changeAwardComplaintOwner: changeAwardComplaintOwner(deps) };
  mountContracts(app, awardComplaintOwnershipApi, complaintOwner, requireObjects);
  mountContracts(app, contractOwnershipApi, { changeContractOwner: changeContractOwner(deps) }, requireObjects);
}
