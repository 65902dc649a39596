import { IDENTITY_HEADER, makeIdentitySigner, type Identity } from '@procurement/kit/http/identity';

/** The secret that services under test are configured with. */
export const TEST_IDENTITY_SECRET = 'a secret of tests, known to everybody';

/** The service that identities of tests are signed for. */
export const TEST_AUDIENCE = 'a service under test';

const sign = makeIdentitySigner(TEST_IDENTITY_SECRET);

/** Far enough away for every fixed clock. */
const YEAR_2100 = 4_102_444_800;

/**
 * The header by which the gateway vouches for a caller, ready for `inject`: broker1 with all levels on segment 2.5 unless told
 * otherwise.
 */
export function signedIdentity(partial: Partial<Identity> = {}): Record<string, string> {
  const identity: Identity = {
    broker: 'broker1',
    group: 'brokers',
    levels: '1234',
    segment: '2.5',
    expires: YEAR_2100,
    ...partial,
  };
  return { [IDENTITY_HEADER]: sign(identity, TEST_AUDIENCE) };
}

/** The header of a caller without credentials. */
export function anonymousIdentity(): Record<string, string> {
  const identity: Identity = {
    group: 'anonymous',
    credentials: 'missing',
    levels: '',
    segment: '2.5',
    expires: YEAR_2100,
  };
  return { [IDENTITY_HEADER]: sign(identity, TEST_AUDIENCE) };
}
