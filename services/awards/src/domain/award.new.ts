import { omitEmpty } from '@procurement/domain/omit-empty';
import type { EarlyAwardInput, StoredAward } from '@procurement/contracts/resources/award';

/** An award as it was posted, pending. What the service sets is not taken from the body. */
export function newAward(posted: Omit<EarlyAwardInput, 'status'>, id: string, date: string): StoredAward {
  const { documents: _d, complaints: _c, items: _i, complaintPeriod: _p, ...kept } = posted;
  return omitEmpty<StoredAward>({ ...kept, id, date, status: 'pending', complaintPeriod: { startDate: date } });
}
