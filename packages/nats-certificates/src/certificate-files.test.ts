import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isUsable } from './certificates.ts';
import { ensureCertificateFiles } from './certificate-files.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const HOSTS = ['nats'];

function emptyFolders(): { readonly authority: string; readonly server: string } {
  const home = mkdtempSync(join(tmpdir(), 'certificates-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folders = { authority: join(home, 'authority'), server: join(home, 'server') };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  return folders;
}

const read = ({ authority, server }: ReturnType<typeof emptyFolders>) => ({
  authorities: readFileSync(join(authority, 'ca.pem'), 'utf8'),
  server: readFileSync(join(server, 'server.pem'), 'utf8'),
});

it('makes the files once, the private one for its owner only', async () => {
  const folders = emptyFolders();
  expect(await ensureCertificateFiles(folders, { hosts: HOSTS, renew: false, now: NOW })).toBe('made');
  const first = read(folders);
  expect(isUsable(first, HOSTS, NOW)).toBe(true);
  expect(first.authorities).not.toContain('PRIVATE');
  expect(statSync(join(folders.server, 'server.pem')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folders.authority, 'ca.pem')).mode & 0o444).toBe(0o444);
  expect(await ensureCertificateFiles(folders, { hosts: HOSTS, renew: false, now: NOW })).toBe('kept');
  expect(read(folders)).toEqual(first);
});

it('renews on request, for clients that trust the former certificate as well', async () => {
  const folders = emptyFolders();
  const wish = { hosts: HOSTS, renew: true, now: NOW };
  await ensureCertificateFiles(folders, wish);
  const first = read(folders);
  expect(await ensureCertificateFiles(folders, wish)).toBe('made');
  const second = read(folders);
  expect(second.server).not.toBe(first.server);
  for (const { server } of [first, second])
    expect(isUsable({ authorities: second.authorities, server }, HOSTS, NOW)).toBe(true);
  await ensureCertificateFiles(folders, wish);
  expect(isUsable({ ...read(folders), server: first.server }, HOSTS, NOW)).toBe(false);
});

it('leaves clients that trust the present certificate, when renewals end between the two files', async () => {
  const folders = emptyFolders();
  await ensureCertificateFiles(folders, { hosts: HOSTS, renew: false, now: NOW });
  const first = read(folders);
  // A folder in the place of the file: the second file cannot be written.
  mkdirSync(join(folders.server, 'server.pem.part'));
  for (const _attempt of [1, 2])
    await expect(ensureCertificateFiles(folders, { hosts: HOSTS, renew: true, now: NOW })).rejects.toThrow('EISDIR');
  const second = read(folders);
  expect(second.authorities).not.toBe(first.authorities);
  expect(isUsable(second, HOSTS, NOW)).toBe(true);
});
