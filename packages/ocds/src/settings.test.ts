import { expect, it } from 'vitest';
import { exampleSettings } from '../test-support/examples.ts';
import { settingsProblems, type OcdsSettings } from './settings.ts';

const own: OcdsSettings = { ...exampleSettings, ocidPrefix: 'ocds-a1b2c3' };

it.each<[string, OcdsSettings, boolean, readonly string[]]>([
  ['settings of an installation', own, false, []],
  ['the sample prefix in the sandbox', exampleSettings, true, []],
  ['the sample prefix outside', exampleSettings, false, ['OCDS_OCID_PREFIX']],
  ['the prefix of ProZorro, also in the sandbox', { ...own, ocidPrefix: 'ocds-be6bcu' }, true, ['OCDS_OCID_PREFIX']],
  ['a prefix in capitals', { ...own, ocidPrefix: 'ocds-A1B2C3' }, false, ['OCDS_OCID_PREFIX']],
  ['no publisher', { ...own, publisher: { name: ' ' } }, false, ['OCDS_PUBLISHER_NAME']],
  [
    'addresses that are none',
    { ...own, license: 'CC0', publicationPolicy: '/policy' },
    false,
    ['OCDS_LICENSE', 'OCDS_PUBLICATION_POLICY'],
  ],
  ['a slash at the end', { ...own, publicBaseUrl: 'https://procurement.example/' }, false, ['PUBLIC_BASE_URL']],
])('%s', (_what, settings, isSandbox, names) => {
  expect(settingsProblems(settings, isSandbox).map((problem) => problem.split(' ')[0])).toEqual(names);
});
