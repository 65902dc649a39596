import { AwardFacts } from '../resources/award-facts.ts';

/** Awards and contracts of a tender changed; carries all of them, so any one event is enough. */
export const awardEvents = { 'award.changed': { schema: 'award.changed/1', data: AwardFacts } } as const;
