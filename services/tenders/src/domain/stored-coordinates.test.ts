import { ACTORS } from '@procurement/testing/actors';
import { describe, expect, it } from 'vitest';
import { newTender, patch } from '../../test-support/run-command.ts';

describe('a tender that an earlier release stored with coordinates that are no numbers', () => {
  const { document, ...rest } = newTender();
  const items = document.items?.map((item) => ({ ...item, deliveryLocation: { latitude: 'північ', longitude: 181 } }));
  const state = { ...rest, document: { ...document, items } };

  it('can be changed in its other members and is ticked by the chronograph', () => {
    expect(patch(state, { title: 'Інша назва' }).state.document).toMatchObject({ title: 'Інша назва', items });
    expect(patch(state, { id: state.id }, { actor: ACTORS.chronograph }).refused).toBeUndefined();
  });

  it('gets no other coordinates of this kind (rulings R35)', () => {
    const { refused } = patch(state, { items: [{ deliveryLocation: { latitude: 91 } }] });
    const latitude = ['Invalid value. Latitude must be between -90 and 90 degree.'];
    expect(refused?.errors).toMatchObject([
      { location: 'body', name: 'items', description: [{ deliveryLocation: { latitude } }] },
    ]);
  });
});
