import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request/request';
import type { Bus } from '@procurement/kit/messaging/bus';
import { remainingMs, type Caller } from '@procurement/kit/runtime/caller';
import { z } from 'zod';
import type { TenderItem } from '../domain/awarding.ts';

const TenderView = z.object({
  data: z.object({
    items: z.array(z.looseObject({ relatedLot: z.string().optional() })).default([]),
    procuringEntity: z.record(z.string(), z.unknown()).optional(),
  }),
});

/** What the contracts of a tender copy of it. */
export interface CopiedByContracts {
  readonly items: readonly TenderItem[];
  readonly procuringEntity?: JsonObject | undefined;
}

/** What contracts copy of a tender; undefined when the tenders service is unavailable or the tender does not exist. */
export type CopiedOf = (tenderId: string, caller?: Caller) => Promise<CopiedByContracts | undefined>;

/** Requests the view of the tender: of items `TenderFacts` has the ids only, and of the procuring entity nothing. */
export function copiedReader(bus: Bus): CopiedOf {
  return async (id, caller) => {
    const timeoutMs = caller === undefined ? undefined : remainingMs(caller);
    const response = await sendRequest(bus, rpcSubjects.tenderView, { id }, timeoutMs, caller?.trace);
    if (response.kind === 'unavailable' || typeof response.value !== 'string') return undefined;
    return TenderView.parse(JSON.parse(response.value)).data;
  };
}
