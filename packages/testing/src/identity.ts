import { IDENTITY_HEADER, Identity, type IdentityVerifier } from '@procurement/kit/http/identity';

/** IDENTITY_PUBLIC_KEYS of the services under test: the example of RFC 8410. Tests send identities that are not signed. */
export const TEST_IDENTITY_PUBLIC_KEYS = 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=';

/** Reads the header of `signedIdentity`, for any method and path. Signatures are tested in kit and on the whole system. */
export const verifyTestIdentity: IdentityVerifier = (header) => {
  const text = Buffer.from(header ?? '', 'base64').toString();
  return text.startsWith('{') ? Identity.parse(JSON.parse(text)) : undefined;
};

/** A time later than every fixed clock. */
const YEAR_2100 = 4_102_444_800;

/** The identity header of a caller, for `inject`. By default broker1 with all levels on segment 2.5. */
export function signedIdentity(partial: Partial<Identity> = {}): Record<string, string> {
  return buildHeader({
    broker: 'broker1',
    group: 'brokers',
    levels: '1234',
    segment: '2.5',
    expires: YEAR_2100,
    ...partial,
  });
}

/** The identity header of a caller without credentials. */
export function anonymousIdentity(): Record<string, string> {
  return buildHeader({ group: 'anonymous', credentials: 'missing', levels: '', segment: '2.5', expires: YEAR_2100 });
}

function buildHeader(identity: Identity): Record<string, string> {
  return { [IDENTITY_HEADER]: Buffer.from(JSON.stringify(identity)).toString('base64') };
}
