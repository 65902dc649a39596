import { describe, expect, it } from 'vitest';
import { regionNames, regionCode } from './regions.ts';

describe('regionCode', () => {
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
    expect(regionCode(name)).toBe(code);
  });

  it('gives an unknown name in the form in which names are compared', () => {
    expect(regionCode(' Мазовецьке  ')).toBe('мазовецьке');
    expect(regionCode('МАЗОВЕЦЬКЕ')).toBe(regionCode('мазовецьке'));
  });
});

describe('regionNames', () => {
  it.each([
    ['UA-56', { uk: 'Рівненська область', en: 'Rivne Oblast' }],
    ['UA-05', { uk: 'Вінницька область', en: 'Vinnytsia Oblast' }],
    ['UA-30', { uk: 'Київ', en: 'Kyiv City' }],
    ['UA-43', { uk: 'Автономна Республіка Крим', en: 'Autonomous Republic of Crimea' }],
    ['UA-99', undefined],
    ['constructor', undefined],
  ])('says %s in both languages', (code, names) => {
    expect(regionNames(code)).toEqual(names);
  });
});
