import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFindings, referenceFindings } from '../test-support/coherence.ts';
import { damagedViews } from '../test-support/damaged-views.ts';
import { exampleSettings, publicTender, publish } from '../test-support/examples.ts';
import { emptyFindings, furtherFindings } from '../test-support/further-checks.ts';
import { differences } from '../test-support/skeletons.ts';
import { schemaErrors } from '../test-support/validator.ts';
import { compiledRelease } from './merge.ts';
import { linkedRecord, recordPackage, releasePackage } from './packages.ts';
import { nextRelease } from './release.ts';

const frame = { uri: 'https://procurement.example/api/ocds/releases.json', publishedDate: '2026-03-31T07:12:30.550Z' };
const RUNS = { numRuns: 100 };

describe('releases of any views of a tender', () => {
  it('are valid, and have no member that the schemas do not have', () => {
    fc.assert(
      fc.property(damagedViews, (views) => {
        const publications = publish(views);
        const releases = publications.map(({ release }) => release);
        const { ocid, compiled } = publications.at(-1)!.state;
        const record = linkedRecord(releases, { ...compiled, ocid }, exampleSettings);
        expect(schemaErrors('releases', releasePackage(releases, frame, exampleSettings))).toEqual([]);
        expect(schemaErrors('records', recordPackage([record], frame, exampleSettings))).toEqual([]);
        // C2: a code outside of an open codelist passes as users typed it.
        const findings = [...releases, compiled].flatMap(furtherFindings).filter((one) => !one.startsWith('C2'));
        expect(findings).toEqual([]);
      }),
      RUNS,
    );
  });

  it('have snapshots without empty members, whose references and parties agree', () => {
    fc.assert(
      fc.property(damagedViews, (views) => {
        for (const { state } of publish(views)) {
          const { snapshot } = state;
          expect([...emptyFindings(snapshot), ...referenceFindings(snapshot), ...countFindings(snapshot)]).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it('merge into the last snapshot, one at a time and all at once', () => {
    fc.assert(
      fc.property(damagedViews, (views) => {
        const publications = publish(views);
        const { compiled, snapshot } = publications.at(-1)!.state;
        const { id: _id, date: _date, tag: _tag, ...content } = compiled;
        expect(differences(content, snapshot)).toEqual([]);
        expect(compiledRelease(publications.map(({ release }) => release))).toEqual(compiled);
      }),
      RUNS,
    );
  });

  it('have growing dates and ids, and a repeated view makes none', () => {
    fc.assert(
      fc.property(damagedViews, (views) => {
        const publications = publish(views);
        const dates = publications.map(({ release }) => release.date);
        expect(dates).toEqual([...new Set(dates)].toSorted());
        for (const { release } of publications) {
          expect(release.id).toBe(`${release.ocid}-${release.date.replaceAll(/[-:.]/g, '')}`);
          expect(release.id).toMatch(/^[A-Za-z0-9-]+$/);
        }
        expect(publish(views)).toEqual(publications);
        expect(nextRelease(publicTender(views.at(-1)), publications.at(-1)!.state, exampleSettings)).toBeUndefined();
      }),
      RUNS,
    );
  });
});
