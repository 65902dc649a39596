import { describe, expect, inject, it } from 'vitest';
import { patientBroker, getReached } from '../../support/broker.ts';
import { GENERATIONS, SEGMENT_2_5 } from '../../support/generations.ts';
import { generationClient, publishTender } from '../../support/generation-client.ts';
import { publish } from '../../support/published-tender.ts';

const gatewayUrl = inject('gatewayUrl');
const anyone = patientBroker(gatewayUrl, undefined, '2.5');

/** A quantity for each form of a number. */
const QUANTITIES = [5, 2.5, 0.001, 0];

describe.each(GENERATIONS)('numbers in generation $name (rulings R41, R42)', (generation) => {
  const { names, tender } = generation;
  const owner = generationClient(gatewayUrl, generation, 'broker1');
  const [{ id: _id, ...item }] = tender[names.items];
  const { features: _features, ...plain } = tender;

  it('quantities and amounts are stored and shown as they were sent', async () => {
    const items = QUANTITIES.map((quantity) => ({ ...item, quantity }));
    const sent = { ...plain, [names.items]: items, [names.value]: { amount: 500.125 } };
    const { path, tokenQuery } = await publish(owner, sent);
    const shown = (await generationClient(gatewayUrl, generation).get(path)).text;
    expect([...shown.matchAll(/"quantity":([^,}]+)/g)].map(([, text]) => text)).toEqual(['5', '2.5', '0.001', '0']);
    expect(shown).toContain('"amount":500.125');
    const changed = await owner.patch(path + tokenQuery, { [names.items]: [{ quantity: 1.75 }, {}, {}, {}] });
    expect(changed.body.data[names.items].map(({ quantity }: { quantity: number }) => quantity)).toEqual([
      1.75,
      ...QUANTITIES.slice(1),
    ]);
  });

  it.each([
    [-1, 'Float value should be greater than 0.'],
    ['багато', "Value 'багато' is not float."],
  ])('the quantity %s is refused, and nothing changes', async (quantity, description) => {
    const { path, tokenQuery, data } = await publishTender(gatewayUrl, generation);
    const refused = await owner.patch(path + tokenQuery, { [names.items]: [{ quantity }] });
    expect([refused.status, JSON.stringify(refused.body.errors)]).toEqual([422, expect.stringContaining(description)]);
    expect((await generationClient(gatewayUrl, generation).get(path)).body.data).toEqual(data);
  });
});

describe('a fraction in what is made of a tender', () => {
  it.each(['lookup', 'search', 'history', 'OCDS'] as const)('%s carries it', async (output) => {
    const [item] = SEGMENT_2_5.tender.items;
    const title = 'Кварцовий дрібняк';
    const sent = { ...SEGMENT_2_5.tender, title, items: [{ ...item, quantity: 0.001 }], value: { amount: 500.125 } };
    const { path, id, data } = await publish(patientBroker(gatewayUrl, 'broker1', '2.5'), sent);
    const at = `at_least=${encodeURIComponent(data.dateModified)}`;
    const addresses = {
      lookup: `/lookup?ids=${id}&expand=1&${at}`,
      search: `/search?mode=_all_&expand=1&q=${encodeURIComponent(title)}&sort=-created&limit=1&${at}`,
      history: `${path}/history/1?${at}`,
      OCDS: `${path}?opt_schema=ocds`,
    };
    const { status, text } = await getReached(anyone, addresses[output]);
    expect(status, text).toBe(200);
    expect(text).toContain('"quantity":0.001');
    expect(text).toContain('"amount":500.125');
  });
});
