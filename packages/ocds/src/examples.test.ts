import { describe, expect, it } from 'vitest';
import { exampleNames, exampleSettings, exampleStates, publish } from '../test-support/examples.ts';
import { readJson } from '../test-support/patched-schemas.ts';
import { compiledRelease } from './merge.ts';
import { linkedRecord, recordPackage, releasePackage } from './packages.ts';
import { ocidOf } from './body.ts';

/** The same bytes but for white space: also the order of members is that of the example. */
function expectSameText(actual: unknown, example: unknown): void {
  expect(actual).toEqual(example);
  expect(JSON.stringify(actual)).toBe(JSON.stringify(example));
}

describe.each(exampleNames)('example %s', (name) => {
  const publications = publish(exampleStates(name));
  const releases = publications.map(({ release }) => release);
  const last = publications.at(-1)!;
  const { ocid, date } = last.state;
  const uri = (kind: string): string => `${exampleSettings.publicBaseUrl}/api/ocds/${kind}/${ocid}`;

  it('makes the releases of the example', () => {
    const made = releasePackage(releases, { uri: uri('releases'), publishedDate: date }, exampleSettings);
    expectSameText(made, readJson(`examples/${name}.releases.json`));
  });

  it('merges one release at a time into what all of them merge into', () => {
    expectSameText(last.state.compiled, compiledRelease(releases.toReversed()));
  });
});

it.each(['paper', 'lots-cancelled', 'contract-paid'] as const)('makes the record of example %s', (name) => {
  const publications = publish(exampleStates(name));
  const { compiled, date, ocid } = publications.at(-1)!.state;
  const releases = publications.map(({ release }) => release);
  const record = linkedRecord(releases, { ...compiled, ocid }, exampleSettings);
  const frame = { uri: `${exampleSettings.publicBaseUrl}/api/ocds/records/${ocid}`, publishedDate: date };
  expectSameText(recordPackage([record], frame, exampleSettings), readJson(`examples/${name}.record.json`));
});

it('one ocid for each tender', () => {
  expect(ocidOf('UA-2026-03-02-000001', exampleSettings)).toBe('ocds-213czf-UA-2026-03-02-000001');
});
