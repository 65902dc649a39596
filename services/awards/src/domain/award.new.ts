import { omitEmpty } from '@procurement/domain/omit-empty';
import type { EarlyAwardInput, StoredAward } from '@procurement/contracts/resources/award';

/** A pending award from a posted body. Members that the service sets are not taken from the body. */
export function newAward(posted: Omit<EarlyAwardInput, 'status'>, id: string, date: string): StoredAward {
  const { documents: _d, complaints: _c, items: _i, complaintPeriod: _p, ...kept } = posted;
  return omitEmpty<StoredAward>({ ...kept, id, date, status: 'pending', complaintPeriod: { startDate: date } });
}
