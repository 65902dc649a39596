import { IDENTITY_HEADER, makeIdentitySigner, type Identity } from '@procurement/kit/http/identity';

/** IDENTITY_SECRET of the services under test. */
export const TEST_IDENTITY_SECRET = 'a secret for tests, which is public';

/** The audience of identities in tests. */
export const TEST_AUDIENCE = 'a service under test';

const sign = makeIdentitySigner(TEST_IDENTITY_SECRET);

/** After every fixed clock. */
const YEAR_2100 = 4_102_444_800;

/** The identity header that the gateway sends, for `inject`. By default broker1 with all levels on segment 2.5. */
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

/** The identity header of a caller without credentials. */
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
