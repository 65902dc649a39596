import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/**
 * A certificate for a host name, signed by its own key (P-256): its own authority. Written in DER here, because Node reads certificates
 * and makes none, and a machine that runs the tests has Node only.
 */
export function selfSignedCertificate(host: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, Buffer.from(host)))));
  const alternativeNames = der(SEQUENCE, der(DNS_NAME, Buffer.from(host)));
  const content = der(
    SEQUENCE,
    der(EXPLICIT_0, der(INTEGER, Buffer.from([VERSION_3]))),
    der(INTEGER, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, ...VALIDITY.map((time) => der(UTC_TIME, Buffer.from(time)))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXPLICIT_3, der(SEQUENCE, der(SEQUENCE, SUBJECT_ALT_NAME, der(OCTET_STRING, alternativeNames)))),
  );
  // The first byte of a bit string counts its unused bits.
  const signature = der(BIT_STRING, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]));
  return {
    certificate: pem('CERTIFICATE', der(SEQUENCE, content, ECDSA_WITH_SHA256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

// Tags (X.690) and numbers (RFC 5280).
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const EXPLICIT_0 = 0xa0;
const EXPLICIT_3 = 0xa3;
const DNS_NAME = 0x82;
const VERSION_3 = 2;
const COMMON_NAME = der(OBJECT_IDENTIFIER, Buffer.from('550403', 'hex'));
const SUBJECT_ALT_NAME = der(OBJECT_IDENTIFIER, Buffer.from('551d11', 'hex'));
const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT_IDENTIFIER, Buffer.from('2a8648ce3d040302', 'hex')));
/** The longest period that two digits of a year can say. */
const VALIDITY = ['500101000000Z', '491231235959Z'] as const;

/** Tag, length and content. A length above 127 follows the number of its bytes. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes = Buffer.from(length.toString(16).padStart(length < 0x100 ? 2 : 4, '0'), 'hex');
  const size = length < 0x80 ? bytes : Buffer.from([0x80 + bytes.length, ...bytes]);
  return Buffer.concat([Buffer.from([tag]), size, content]);
}

function pem(label: string, bytes: Buffer): string {
  return `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;
}
