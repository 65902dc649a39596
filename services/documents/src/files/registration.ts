import { problem } from '@procurement/contracts/problems/problems';
import type { Deps } from '../deps.ts';
import type { RegisteredFile } from '../domain/document.ts';

/**
 * The file that the `url` and `hash` of a body name. Refuses an address that is not valid, and one of a file that another broker
 * registered: whoever learns an address must not publish the file behind it (http.md 2.6).
 */
export async function resolveRegistration(
  { signedUrls, fileRecords }: Pick<Deps, 'signedUrls' | 'fileRecords'>,
  { url, hash }: Readonly<Record<string, unknown>>,
  broker: string,
): Promise<RegisteredFile['registration']> {
  const registration = signedUrls.verifyRegistration(url, hash ?? undefined);
  if ('refused' in registration) return registration;
  const file = await fileRecords.find(registration.fileId);
  return file?.owner === broker
    ? { ...registration, sha256: file.sha256 }
    : { refused: problem('document.url-invalid') };
}
