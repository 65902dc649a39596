import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { Release } from './release.ts';
import type { OcdsSettings } from './settings.ts';
import { EXTENSION_URLS } from './standard.golden.ts';
import { compact } from './values.ts';

/** What a record shows of a release. */
export interface LinkedRelease {
  readonly url: string;
  readonly date: string;
  readonly tag: readonly string[];
}

export interface OcdsRecord extends JsonObject {
  readonly ocid: string;
  /** Links or whole releases, never both; oldest first. */
  readonly releases: readonly (LinkedRelease | Release)[];
  readonly compiledRelease: JsonObject;
}

export interface PackageFrame {
  /** Address of the request, or of the file. */
  readonly uri: string;
  /** Greatest date of the releases in the package. */
  readonly publishedDate: string;
  readonly links?: { readonly next?: string; readonly prev?: string };
}

/** A release package (ocds.md 5). Decision: an empty one has an empty list, which the 1.1 schema alone refuses (ocds.md 4.1). */
export function releasePackage(releases: readonly Release[], frame: PackageFrame, settings: OcdsSettings): JsonObject {
  return { ...packageHead(frame, settings), releases };
}

export function recordPackage(records: readonly OcdsRecord[], frame: PackageFrame, settings: OcdsSettings): JsonObject {
  return { ...packageHead(frame, settings), records };
}

function packageHead(frame: PackageFrame, settings: OcdsSettings): JsonObject {
  return compact({
    uri: frame.uri,
    ...packageMetadata(settings),
    publishedDate: frame.publishedDate,
    links: frame.links,
  });
}

/** The beginning of a package as text, for one that is written while its content is read. */
export function packageOpening(uri: string, settings: OcdsSettings): string {
  return JSON.stringify({ uri, ...packageMetadata(settings) }).slice(0, -1);
}

/** The members that all packages of an installation share; the index has them too. */
export function packageMetadata(settings: OcdsSettings): JsonObject {
  const { publisher, license, publicationPolicy } = settings;
  const { name, scheme, uid, uri } = publisher;
  return compact({
    version: '1.1',
    extensions: EXTENSION_URLS,
    publisher: compact({ name, scheme, uid, uri }),
    license,
    publicationPolicy,
  });
}

/** A record with links to its releases. */
export function linkedRecord(
  releases: readonly Pick<Release, 'ocid' | 'id' | 'date' | 'tag'>[],
  compiled: JsonObject & { readonly ocid: string },
  settings: OcdsSettings,
): OcdsRecord {
  const links = releases.map(({ ocid, id, date, tag }) => ({ url: releaseUrl(ocid, id, settings), date, tag }));
  return { ocid: compiled.ocid, releases: links, compiledRelease: compiled };
}

/** The permanent address of a release. */
export function releaseUrl(ocid: string, id: string, settings: Pick<OcdsSettings, 'publicBaseUrl'>): string {
  return `${settings.publicBaseUrl}/api/ocds/releases/${ocid}/${id}`;
}
