import { describe, expect, it } from 'vitest';
import { regionOf } from './regions.ts';

describe('regionOf', () => {
  it.each([
    ['Київська область', 'UA-32'],
    ['київська обл.', 'UA-32'],
    ['м. Київ', 'UA-30'],
    ['м.Київ', 'UA-30'],
    ['Київ', 'UA-30'],
    ['ua-32', 'UA-32'],
    ['Івано-Франківська область', 'UA-26'],
    ['Lvivska oblast', 'UA-46'],
    ['Автономна Республіка Крим', 'UA-43'],
  ])('gives the code of %s', (name, code) => {
    expect(regionOf(name)).toBe(code);
  });

  it('gives an unknown name in the form in which names are compared', () => {
    expect(regionOf(' Мазовецьке  ')).toBe('мазовецьке');
    expect(regionOf('МАЗОВЕЦЬКЕ')).toBe(regionOf('мазовецьке'));
  });
});
