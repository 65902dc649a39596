import { X509Certificate } from 'node:crypto';
import { checkServerIdentity } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { isUsable, makeCertificates, withSuccessor } from './certificates.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const HOSTS = ['nats', 'nats-2'];
const yearsLater = (years: number): Date => new Date(NOW.getTime() + years * 365 * 24 * 3_600_000);
const [own, other] = await Promise.all([makeCertificates(HOSTS, NOW), makeCertificates(HOSTS, NOW)]);
const server = `${own.certificate}${own.key}`;

describe('makeCertificates', () => {
  it('signs one certificate for all hosts, which is no authority itself', () => {
    const [authority, certificate] = [new X509Certificate(own.authority), new X509Certificate(own.certificate)];
    expect([authority.ca, certificate.ca]).toEqual([true, false]);
    expect(certificate.subjectAltName).toBe('DNS:nats, DNS:nats-2');
    expect(certificate.verify(authority.publicKey)).toBe(true);
    expect(certificate.checkIssued(authority)).toBe(true);
    // Of servers and of clients.
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  });

  it.each(['nats', 'nats-0.nats-headless'])('signs for %s, which Node accepts, and for no other host', async (host) => {
    const made = await makeCertificates([host], NOW);
    const certificate = new X509Certificate(made.certificate).toLegacyObject();
    expect(checkServerIdentity(host, certificate)).toBe(undefined);
    expect(checkServerIdentity(`${host}-2`, certificate)?.message).toContain('does not match');
  });

  it('gives each authority its own key and name', () => {
    const [one, two] = [new X509Certificate(own.authority), new X509Certificate(other.authority)];
    expect(one.subject).not.toBe(two.subject);
    expect(new X509Certificate(own.certificate).verify(two.publicKey)).toBe(false);
  });

  it('gives the private key of the certificate, and not that of the authority', () => {
    expect(Object.keys(own)).toEqual(['authority', 'certificate', 'key']);
    expect(`${own.authority}${own.certificate}`).not.toContain('PRIVATE KEY');
  });
});

describe('isUsable', () => {
  it.each([
    ['a new certificate', true, { authorities: own.authority, server }, HOSTS, NOW],
    ['trust in several authorities', true, { authorities: `${other.authority}${own.authority}`, server }, HOSTS, NOW],
    ['three years later', false, { authorities: own.authority, server }, HOSTS, yearsLater(3)],
    ['nearly three years later', true, { authorities: own.authority, server }, HOSTS, yearsLater(2.9)],
    ['a host that it does not have', false, { authorities: own.authority, server }, ['nats-3'], NOW],
    ['trust in another authority', false, { authorities: other.authority, server }, HOSTS, NOW],
    ['no trust', false, { authorities: '', server }, HOSTS, NOW],
    ['no private key', false, { authorities: own.authority, server: own.certificate }, HOSTS, NOW],
    ['no certificate', false, { authorities: own.authority, server: own.key }, HOSTS, NOW],
    ['a broken file', false, { authorities: own.authority, server: server.replace('MII', 'AAA') }, HOSTS, NOW],
  ])('%s: %s', (_what, expected, present, hosts, now) => {
    expect(isUsable(present, hosts, now)).toBe(expected);
  });

  it('a wildcard before a single label, which Node refuses: false', async () => {
    const { authority, certificate, key } = await makeCertificates(['*.nats-headless'], NOW);
    const present = { authorities: authority, server: `${certificate}${key}` };
    expect(isUsable(present, ['nats-0.nats-headless'], NOW)).toBe(false);
  });
});

describe('withSuccessor', () => {
  it('keeps the authority of the present certificate, and no other', async () => {
    const third = await makeCertificates(HOSTS, NOW);
    const authorities = withSuccessor({ authorities: own.authority, server }, other.authority);
    expect(authorities).toBe(`${other.authority}${own.authority}`);
    const renewed = { authorities, server: `${other.certificate}${other.key}` };
    expect(withSuccessor(renewed, third.authority)).toBe(`${third.authority}${other.authority}`);
    // A renewal that wrote its authority only.
    expect(withSuccessor({ authorities, server }, third.authority)).toBe(`${third.authority}${own.authority}`);
    expect(withSuccessor({ authorities: '', server: '' }, own.authority)).toBe(own.authority);
  });
});
