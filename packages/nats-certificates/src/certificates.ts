// The library finds its parts by metadata of classes, which need this before it.
import 'reflect-metadata';
import { KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import { checkServerIdentity } from 'node:tls';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** All in PEM. */
export interface Certificates {
  /** The certificate of the authority. Its private key is not kept: nobody can sign another certificate with it. */
  readonly authority: string;
  /** Certificate of the servers for all their host names, signed by the authority. */
  readonly certificate: string;
  /** Private key of that certificate. */
  readonly key: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 24 * 3_600_000;
const VALID_DAYS = 5 * 365;
/** Certificates are made anew from then on. As long as an installation may run without `docker compose up`. */
const RENEW_DAYS = 2 * 365;
/** Clocks of hosts differ. */
const EARLIER_MS = DAY_MS;

/** Makes an authority and one certificate for servers with these DNS names, which are also clients of each other. P-256, five years. */
export async function makeCertificates(hosts: readonly string[], now: Date): Promise<Certificates> {
  const validity = {
    notBefore: new Date(now.getTime() - EARLIER_MS),
    notAfter: new Date(now.getTime() + VALID_DAYS * DAY_MS),
  };
  // Another name for each: an authority and its successor are in one file.
  const name = `CN=NATS ${webcrypto.randomUUID()}`;
  const authorityKeys = await webcrypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  const authority = await X509CertificateGenerator.createSelfSigned(
    {
      ...validity,
      name,
      keys: authorityKeys,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      ],
    },
    webcrypto,
  );
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create(
    {
      ...validity,
      subject: `CN=${hosts[0] ?? ''}`,
      issuer: name,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        // Servers of a cluster are clients of each other.
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: 'dns', value }))),
      ],
    },
    webcrypto,
  );
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  return { authority: `${authority.toString('pem')}\n`, certificate: `${certificate.toString('pem')}\n`, key };
}

/** What the servers and their clients have in their files. */
export interface Present {
  /** Authorities that clients trust, in PEM. */
  readonly authorities: string;
  /** Certificate and private key of the servers, in PEM. */
  readonly server: string;
}

/** Whether the certificate serves these hosts, by the rule of Node's clients, for two more years, and clients trust it. */
export function isUsable({ authorities, server }: Present, hosts: readonly string[], now: Date): boolean {
  const [certificate] = certificatesIn(server);
  if (certificate === undefined || !server.includes('PRIVATE KEY')) return false;
  const isTrusted = findSigner(certificate, authorities) !== undefined;
  const isLong = Date.parse(certificate.validTo) - now.getTime() > RENEW_DAYS * DAY_MS;
  const legacy = certificate.toLegacyObject();
  return isTrusted && isLong && hosts.every((host) => checkServerIdentity(host, legacy) === undefined);
}

/** The authorities that clients trust from now on: the new one, and that of the certificate which the servers have until they read the new one. */
export function withSuccessor({ authorities, server }: Present, successor: string): string {
  const [certificate] = certificatesIn(server);
  const former = certificate === undefined ? undefined : findSigner(certificate, authorities);
  return former === undefined ? successor : `${successor}${former.toString()}`;
}

function findSigner(certificate: X509Certificate, authorities: string): X509Certificate | undefined {
  return certificatesIn(authorities).find(({ publicKey }) => certificate.verify(publicKey));
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a text in PEM; none of it that cannot be read. */
function certificatesIn(pem: string): readonly X509Certificate[] {
  return [...pem.matchAll(CERTIFICATE)].flatMap(([text]) => {
    try {
      return [new X509Certificate(text)];
    } catch {
      return [];
    }
  });
}
