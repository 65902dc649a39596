import type { JsonObject } from '@procurement/contracts/reading/json-object';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkedRecord, recordPackage, releasePackage } from '../../packages/ocds/src/packages.ts';
import { isPublished, type Publication } from '../../packages/ocds/src/release.ts';
import type { OcdsSettings } from '../../packages/ocds/src/settings.ts';
import { countFindings, referenceFindings } from '../../packages/ocds/test-support/coherence.ts';
import { exampleSettings, publicTender, publish } from '../../packages/ocds/test-support/examples.ts';
import { emptyFindings, furtherFindings } from '../../packages/ocds/test-support/further-checks.ts';
import { differences } from '../../packages/ocds/test-support/skeletons.ts';
import { schemaErrors } from '../../packages/ocds/test-support/validator.ts';
import { bid, fullTender, tender } from '../../services/gateway/test-support/canonical-arbitraries.ts';
import { goldenExchanges } from '../openapi/recordings.ts';

// Tenders of the recorded stories are test tenders.
const settings: OcdsSettings = { ...exampleSettings, includeTest: true };

/** The views of tenders in the answers of the recorded stories, in their order, by story and tender. */
function recordedViews(): ReadonlyMap<string, readonly JsonObject[]> {
  const views = new Map<string, JsonObject[]>();
  for (const { story, path, response } of goldenExchanges()) {
    if (!/^\/tenders(\/[0-9a-f]{32})?$/.test(path)) continue;
    const { data } = response as { data?: JsonObject };
    if (typeof data?.['tenderID'] !== 'string' || typeof data['dateModified'] !== 'string') continue;
    const name = `${story}, tender ${data['tenderID']}`;
    views.set(name, [...(views.get(name) ?? []), data]);
  }
  return views;
}

function findings(publications: readonly Publication[]): readonly string[] {
  const releases = publications.map(({ release }) => release);
  const { ocid, date, compiled, snapshot } = publications.at(-1)!.state;
  const frame = { uri: `https://procurement.example/api/ocds/releases/${ocid}`, publishedDate: date };
  const record = linkedRecord(releases, { ...compiled, ocid }, settings);
  const { id: _id, date: _date, tag: _tag, ...content } = compiled;
  return [
    ...schemaErrors('releases', releasePackage(releases, frame, settings)),
    ...schemaErrors('records', recordPackage([record], frame, settings)),
    ...schemaErrors('records', recordPackage([{ ...record, releases }], frame, settings)),
    ...[...releases, compiled].flatMap(furtherFindings),
    ...publications.flatMap(({ state }) => [
      ...emptyFindings(state.snapshot),
      ...referenceFindings(state.snapshot),
      ...countFindings(state.snapshot),
    ]),
    ...differences(content, snapshot),
  ];
}

const stories = [...recordedViews()];

describe('the tenders of the recorded stories', () => {
  it('are there, and each story has views', () => {
    expect(new Set(stories.map(([name]) => name.split(',')[0])).size).toBe(
      new Set(goldenExchanges().map(({ story }) => story)).size,
    );
  });

  it.each(stories)('%s: all its packages conform', (_name, views) => {
    const publications = publish(views, settings);
    expect(publications.length).toBeGreaterThan(0);
    expect(findings(publications)).toEqual([]);
  });

  it.each(stories)('%s: no bid is published before the opening', (_name, views) => {
    for (const view of views.filter(({ status }) => /^active\.(enquiries|tendering|auction)$/.test(String(status)))) {
      const { release } = publish([view], settings)[0] ?? {};
      expect(JSON.stringify(release ?? {})).not.toMatch(/"(bids|tenderers|relatedBid|awards)"/);
    }
  });
});

describe('any canonical tender', () => {
  it.each([
    ['that may lack members', tender],
    ['with all members of older segments', fullTender],
    [
      'with opened bids',
      fc
        .record({ base: fullTender, bids: fc.array(bid) })
        .map(({ base, bids }) => ({ ...base, bids, status: 'complete' })),
    ],
  ])('%s conforms', (_name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary as fc.Arbitrary<JsonObject>, (view) => {
        if (!isPublished(publicTender(view), settings)) return;
        // C2: the arbitrary texts stand in members with open codelists too.
        expect(findings(publish([view], settings)).filter((finding) => !finding.startsWith('C2'))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
