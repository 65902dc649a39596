import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { sendRequest } from '@procurement/kit/messaging/request';
import type { Bus } from '@procurement/kit/messaging/bus';
import { z } from 'zod';
import type { TenderItem } from '../domain/awarding.ts';

const TenderViewItems = z.object({
  data: z.object({ items: z.array(z.looseObject({ relatedLot: z.string().optional() })).default([]) }),
});

/** The items of a tender, whole. Undefined when its service cannot be asked, or knows no such tender. */
export type ItemsOf = (tenderId: string) => Promise<readonly TenderItem[] | undefined>;

/** Asks the tender's own service: facts that travel by event name items only by id, and a contract copies them whole. */
export function itemsReader(bus: Bus): ItemsOf {
  return async (id) => {
    const response = await sendRequest(bus, rpcSubjects.tenderView, { id });
    if (response.kind === 'unavailable' || typeof response.value !== 'string') return undefined;
    return TenderViewItems.parse(JSON.parse(response.value)).data.items;
  };
}
