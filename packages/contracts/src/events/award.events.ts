import { AwardFacts } from '../resources/award-facts.ts';

/** Awards or contracts of a tender changed. Carries all of them, so a consumer needs only the latest event. */
export const awardEvents = { 'award.changed': { schema: 'award.changed/1', data: AwardFacts } } as const;
