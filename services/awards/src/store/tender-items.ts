import { askSubjects } from '@procurement/contracts/events/subjects';
import { ask } from '@procurement/kit/ask';
import type { Bus } from '@procurement/kit/bus';
import { z } from 'zod';
import type { TenderItem } from '../domain/awarding.ts';

const View = z.object({
  data: z.object({ items: z.array(z.looseObject({ relatedLot: z.string().optional() })).default([]) }),
});

/** The items of a tender, whole. Undefined when its service cannot be asked, or knows no such tender. */
export type ItemsOf = (tenderId: string) => Promise<readonly TenderItem[] | undefined>;

/** Asks the tender's own service: facts that travel by event name items only by id, and a contract copies them whole. */
export function tenderItems(bus: Bus): ItemsOf {
  return async (id) => {
    const asked = await ask(bus, askSubjects.tenderView, { id });
    if (asked.kind === 'unavailable' || typeof asked.value !== 'string') return undefined;
    return View.parse(JSON.parse(asked.value)).data.items;
  };
}
