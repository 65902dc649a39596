import type { OcdsSettings } from '../src/settings.ts';
import { nextRelease, type Publication, type PublishedState } from '../src/release.ts';
import { isInvalid, readPublicTender, type PublicTender } from '../src/public-tender.ts';
import { readJson } from './patched-schemas.ts';

/** Configuration of the examples (ocds.md 8). */
export const exampleSettings: OcdsSettings = {
  publicBaseUrl: 'https://procurement.example',
  ocidPrefix: 'ocds-213czf',
  language: 'uk',
  includeTest: false,
  contactPoints: 'procuringEntity',
  publisher: {
    name: 'Приклад: електронна система закупівель',
    scheme: 'UA-EDR',
    uid: '45678904',
    uri: 'https://procurement.example/',
  },
  license: 'https://creativecommons.org/publicdomain/zero/1.0/',
  publicationPolicy: 'https://procurement.example/ocds/policy',
};

export const exampleNames = ['paper', 'lots-cancelled', 'cancelled-before-opening', 'sparse', 'contract-paid'] as const;
export type ExampleName = (typeof exampleNames)[number];

export function exampleStates(name: ExampleName): readonly object[] {
  return readJson(`examples/${name}.states.json`) as readonly object[];
}

/** A tender as the public reads it. */
export function publicTender(state: unknown): PublicTender {
  const tender = readPublicTender(JSON.stringify(state));
  if (isInvalid(tender)) throw new Error(tender.invalid);
  return tender;
}

/** Publications of successive views of one tender, as a projector makes them. */
export function publish(states: readonly unknown[], settings: OcdsSettings = exampleSettings): readonly Publication[] {
  const published: Publication[] = [];
  let state: PublishedState | undefined;
  for (const view of states) {
    const next = nextRelease(publicTender(view), state, settings);
    if (next === undefined) continue;
    published.push(next);
    state = next.state;
  }
  return published;
}
