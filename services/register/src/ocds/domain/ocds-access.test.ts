import { describe, expect, it } from 'vitest';
import { OCDS_DEFAULTS } from '@procurement/ocds/settings';
import { ocdsAccess, type OcdsVariables } from './ocds-access.ts';

const SANDBOX: OcdsVariables = {
  SANDBOX_MODE: true,
  PUBLIC_BASE_URL: 'https://api.example.org/',
  OCDS_ENABLED: true,
  OCDS_LICENSE: OCDS_DEFAULTS.license,
  OCDS_LANGUAGE: 'uk',
  OCDS_CONTACT_POINTS: 'procuringEntity',
};
const PRODUCTION: OcdsVariables = {
  ...SANDBOX,
  SANDBOX_MODE: false,
  OCDS_OCID_PREFIX: 'ocds-abc123',
  OCDS_PUBLISHER_NAME: 'Example',
};

describe('ocdsAccess', () => {
  it('publishes test tenders under the sample prefix in a sandbox', () => {
    expect(ocdsAccess(SANDBOX)).toMatchObject({
      settings: {
        ocidPrefix: 'ocds-213czf',
        includeTest: true,
        publisher: { name: 'Sandbox' },
        publicBaseUrl: 'https://api.example.org',
      },
    });
  });

  it('publishes real tenders only outside of a sandbox', () => {
    expect(ocdsAccess(PRODUCTION)).toMatchObject({ settings: { ocidPrefix: 'ocds-abc123', includeTest: false } });
  });

  it.each([
    [{ OCDS_OCID_PREFIX: undefined }, 'OCDS_OCID_PREFIX is not set'],
    [{ OCDS_PUBLISHER_NAME: undefined }, 'OCDS_PUBLISHER_NAME is not set'],
    [{ OCDS_ENABLED: false }, 'OCDS_ENABLED is off'],
  ])('is off with %o', (change, offBecause) => {
    expect(ocdsAccess({ ...PRODUCTION, ...change })).toEqual({ offBecause });
  });

  it('names every wrong setting', () => {
    const wrong = { OCDS_OCID_PREFIX: 'ocds-213czf', OCDS_LICENSE: 'CC0', OCDS_PUBLISHER_URI: '/about' };
    expect(ocdsAccess({ ...PRODUCTION, ...wrong })).toEqual({
      problems: [
        'OCDS_OCID_PREFIX ocds-213czf is the sample of the standard, for sandbox mode only',
        'OCDS_PUBLISHER_URI is not an absolute URL',
        'OCDS_LICENSE is not an absolute URL',
      ],
    });
  });
});
