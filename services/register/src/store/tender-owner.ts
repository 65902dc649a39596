import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { unavailable } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/http/problem-error';
import type { Bus } from '@procurement/kit/messaging/bus';
import { sendRequest } from '@procurement/kit/messaging/request';
import { z } from 'zod';
import { parsePublicTender } from '../domain/tender-columns.ts';

/** Whether the owner has a tender that is public, and so is merely not here yet. Throws 503 when it does not answer. */
export type IsPublic = (tenderId: string) => Promise<boolean>;

const Answer = z.string().optional();

/** Asks for the public view, not for the facts, which have hashes of tokens: nothing but public text enters this service. */
export function askIfPublic(bus: Bus): IsPublic {
  return async (tenderId) => {
    const response = await sendRequest(bus, rpcSubjects.tenderView, { id: tenderId });
    if (response.kind === 'unavailable') throw new ProblemError(unavailable(5));
    const text = Answer.parse(response.value ?? undefined);
    return text !== undefined && parsePublicTender(text)['status'] !== 'draft';
  };
}
