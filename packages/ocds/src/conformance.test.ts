import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { describe, expect, it } from 'vitest';
import { countFindings, referenceFindings, userFindings } from '../test-support/coherence.ts';
import { exampleNames, exampleSettings, exampleStates, publish } from '../test-support/examples.ts';
import { emptyFindings, furtherFindings } from '../test-support/further-checks.ts';
import { readJson } from '../test-support/patched-schemas.ts';
import { schemaErrors } from '../test-support/validator.ts';
import { releasePackage } from './packages.ts';

type Releases = { releases: JsonObject[] };
type Records = { records: { compiledRelease: JsonObject }[] };

describe.each(exampleNames)('releases of example %s', (name) => {
  const content = readJson(`examples/${name}.releases.json`) as Releases;

  it('are valid by the official schemas with the extensions', () => {
    expect(schemaErrors('releases', content)).toEqual([]);
  });

  it('pass the checks of the review tool and of the quality assessment', () => {
    const findings = content.releases.flatMap((release) => [
      ...furtherFindings(release),
      ...referenceFindings(release),
      ...countFindings(release),
      ...userFindings(release),
    ]);
    expect(findings).toEqual([]);
  });
});

describe.each(['paper', 'lots-cancelled', 'contract-paid'] as const)('record of example %s', (name) => {
  const content = readJson(`examples/${name}.record.json`) as Records;

  it('is valid, also with its releases in place of the links', () => {
    expect(schemaErrors('records', content)).toEqual([]);
    const { releases } = readJson(`examples/${name}.releases.json`) as Releases;
    const records = content.records.map((record) => ({ ...record, releases }));
    expect(schemaErrors('records', { ...content, records })).toEqual([]);
  });

  it('passes the checks of the review tool', () => {
    expect(content.records.flatMap(({ compiledRelease }) => furtherFindings(compiledRelease))).toEqual([]);
  });
});

describe('what the schemas must refuse', () => {
  const valid = readJson('examples/paper.releases.json') as Releases & Record<string, unknown>;
  // `any`: the cases below break one member each.
  const last = valid.releases.at(-1) as Record<string, any>;
  // `any`: as above.
  const withRelease = (change: (release: Record<string, any>) => void): unknown => {
    const release = structuredClone(last);
    change(release);
    return { ...valid, releases: [release] };
  };

  it.each([
    ['a status that is not in the codelist', () => withRelease(({ tender }) => (tender.status = 'open')), 'enum'],
    ['a date without time', () => withRelease((release) => (release['date'] = '2026-03-31')), 'format'],
    ['a package without publisher', () => ({ ...valid, publisher: undefined }), 'required'],
    ['the canonical status of a bid', () => withRelease(({ bids }) => (bids.details[0].status = 'active')), 'enum'],
    ['a contract without its award', () => withRelease(({ contracts }) => delete contracts[0].awardID), 'required'],
    [
      'a URL with other letters than ASCII',
      () => withRelease(({ tender }) => (tender.documents[0].url = 'https://укр.example/')),
      'format',
    ],
    ['an unknown currency', () => withRelease(({ tender }) => (tender.value.currency = 'ГРН')), 'enum'],
    ['a patch version', () => ({ ...valid, version: '1.1.5' }), 'pattern'],
    ['a release without tags', () => withRelease((release) => (release['tag'] = [])), 'minItems'],
    ['a link that is a number', () => ({ ...valid, links: { next: 1 } }), 'type'],
  ])('%s', (_what, broken, keyword) => {
    expect(schemaErrors('releases', broken()).map((error) => error.split(' ')[0])).toContain(keyword);
  });

  it('an empty page, for that reason only', () => {
    const frame = {
      uri: 'https://procurement.example/api/ocds/releases.json',
      publishedDate: '2026-03-31T07:12:30.550Z',
    };
    const errors = schemaErrors('releases', releasePackage([], frame, exampleSettings));
    expect(errors.map((error) => error.split(' ')[0])).toEqual(['minItems']);
  });
});

describe.each(exampleNames)('snapshots of example %s', (name) => {
  it('have no empty members', () => {
    expect(publish(exampleStates(name)).flatMap(({ state }) => emptyFindings(state.snapshot))).toEqual([]);
  });
});

describe('what the further checks must find', () => {
  it.each([[{ a: '' }], [{ a: [] }], [{ a: [{}] }], [{ a: null }]])('C6: %j', (snapshot) => {
    expect(emptyFindings(snapshot)).not.toEqual([]);
  });

  const paper = publish(exampleStates('paper')).at(-1)!.release as JsonObject;
  const tender = paper['tender'] as JsonObject;

  it.each([
    ['C1', { ...paper, tender: { ...tender, mainProcurementCategory: 'paper' } }],
    ['C2', { ...paper, tender: { ...tender, awardCriteria: 'cheapest' } }],
    ['C3', { ...paper, awards: [{ id: '1' }, { id: '1' }] }],
    ['C4', { ...paper, tender: { ...tender, tenderID: 'UA-1' } }],
    ['C5', { ...paper, buyer: { id: '1', address: { region: 'Київ' } } }],
    ['C7', { ...paper, ocid: 'UA-1' }],
  ])('%s', (check, release) => {
    expect(furtherFindings(release).map((finding) => finding.slice(0, 2))).toContain(check);
  });
});
