import { describe, expect, it } from 'vitest';
import { createQualification } from '../../test-support/awarding-fixtures.ts';
import { setupAwards } from '../../test-support/setup-awards.ts';
import { respondAwardFacts } from './respond-award-facts.ts';

const running = setupAwards();

describe('ask.awards.facts', () => {
  it('is answered with what the last event of the tender carries, and with nothing before its first award', async () => {
    const respond = respondAwardFacts(running().deps);
    const { id: withoutAwards } = await running().addTender({ status: 'active.tendering' });
    expect(await respond({ id: withoutAwards })).toBeUndefined();
    const { path } = await createQualification(running());
    const id = path.split('/').at(-1) ?? '';
    const events = await running().publishedEvents(id);
    expect(JSON.parse(JSON.stringify(await respond({ id })))).toEqual(events.at(-1)?.data);
  });
});
