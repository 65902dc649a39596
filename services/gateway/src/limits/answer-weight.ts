import { BYTES_OF_ONE, weightOfBytes, type WeighedWork } from '@procurement/contracts/api/rates';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '../request/request-context.ts';
import { findContract } from '../request/routes.table.ts';
import type { RateLimit } from './rate-limit.ts';

/** What is known of an answer when it has arrived from its service. */
export interface AnswerSize {
  readonly bytes: number;
  readonly isMapped?: boolean;
  /** The value of `WORK_BYTES_HEADER`. */
  readonly worked?: unknown;
  /** A file is passed on as it is. */
  readonly isFile?: boolean;
}

/** What an answer counts beside the request. 0 for nearly all. A write counts what it has saved, whatever of it the answer shows. */
export function weightOfAnswer(
  { write, pretty, jsonpCallback }: Pick<RequestContext, 'write' | 'pretty' | 'jsonpCallback'>,
  { bytes, isMapped = false, worked, isFile = false }: AnswerSize,
): number {
  const workedBytes = typeof worked === 'string' ? Number(worked) : 0;
  if (write) return weightOfBytes('saved', workedBytes);
  const work: readonly (WeighedWork | false)[] = isFile
    ? ['file']
    : ['answer', isMapped && 'mapped', pretty && 'indented', jsonpCallback !== undefined && 'jsonp'];
  const ofAnswer = work.reduce((sum, one) => sum + (one === false ? 0 : weightOfBytes(one, bytes)), 0);
  return ofAnswer + weightOfBytes('compared', workedBytes);
}

/** Nearly all answers are shorter, so that they cost one comparison. */
const UNWEIGHED_BYTES = Math.min(...Object.values(BYTES_OF_ONE));

/** Charges the client for an answer. Called before the work on it begins. */
export function chargeAnswer(
  { rateLimit }: { readonly rateLimit: RateLimit },
  request: FastifyRequest,
  size: AnswerSize,
): void {
  const { context } = request;
  if (size.bytes < UNWEIGHED_BYTES && size.worked === undefined) return;
  const weight = weightOfAnswer(context, size);
  if (weight === 0) return;
  const rateClass = context.entry === undefined ? undefined : findContract(context.entry, request.method)?.rateClass;
  rateLimit.charge(context.caller, context.address, context.write, weight, rateClass);
}
