import { awardComplaintsApi } from '@procurement/contracts/api/award-complaints.api';
import { awardsApi } from '@procurement/contracts/api/awards.api';
import { contractsApi } from '@procurement/contracts/api/contracts.api';
import { mountContracts } from '@procurement/kit/http/mount';
import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import {
  createAwardComplaint,
  getAwardComplaint,
  listAwardComplaints,
  patchAwardComplaint,
} from './http/award-complaints.ts';
import { createAward, getAward, listAwards, patchAward } from './http/awards.ts';
import { createContract, getContract, listContracts, patchContract } from './http/contracts.ts';
import { objectsMissing } from './http/path.ts';
import { getStandaloneContract, patchContractCredentials } from './http/standalone-contracts.ts';

/** Mounts every operation that the contracts give to this service. */
export function mountRoutes(app: FastifyInstance, deps: Deps): void {
  const missing = objectsMissing(deps);
  mountContracts(
    app,
    awardsApi,
    {
      listAwards: listAwards(deps),
      createAward: createAward(deps),
      getAward: getAward(deps),
      patchAward: patchAward(deps),
    },
    missing,
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
    missing,
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
      patchContractCredentials: patchContractCredentials(deps),
    },
    missing,
  );
}
