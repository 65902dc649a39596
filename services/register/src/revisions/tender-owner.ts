import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { unavailable } from '@procurement/contracts/problems/problems';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { Bus } from '@procurement/kit/messaging/bus';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import { z } from 'zod';
import { parsePublicTender } from './domain/tender-columns.ts';

/** Whether the owner has a tender that is public, and so is merely not here yet. Throws 503 when it does not answer. */
export type IsPublic = (tenderId: string) => Promise<boolean>;

/** What the owner shows of a tender. */
export interface OwnersTender {
  readonly position: bigint;
  readonly status: string;
  readonly isTest: boolean;
}

/** Undefined for a tender that does not exist; `unavailable` when the owner does not answer. */
export type AskPublic = (tenderId: string) => Promise<OwnersTender | 'unavailable' | undefined>;

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

/** Asks where the public view of a tender stands. */
export function askPublicView(bus: Bus): AskPublic {
  return async (tenderId) => {
    const response = await sendRequest(bus, rpcSubjects.tenderView, { id: tenderId });
    if (response.kind === 'unavailable') return 'unavailable';
    const text = Answer.parse(response.value ?? undefined);
    if (text === undefined) return undefined;
    const { status, mode, dateModified } = parsePublicTender(text);
    return { position: BigInt(parseInstant(String(dateModified))), status: String(status), isTest: mode === 'test' };
  };
}
