import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { Release } from './release.ts';
import type { OcdsSettings, Publisher } from './settings.ts';
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

/** The members that all packages of an installation share; the index and the manifests of exports have them too. */
export interface PackageMetadata extends JsonObject {
  readonly version: string;
  readonly extensions: string[];
  readonly publisher: Publisher;
  readonly license: string;
  readonly publicationPolicy?: string;
}

export function packageMetadata(settings: OcdsSettings): PackageMetadata {
  const { publisher, license, publicationPolicy } = settings;
  const { name, scheme, uid, uri } = publisher;
  // Safe cast: what is not optional is not empty (`settingsProblems`).
  return compact({
    version: '1.1',
    extensions: EXTENSION_URLS,
    publisher: compact({ name, scheme, uid, uri }),
    license,
    publicationPolicy,
  }) as PackageMetadata;
}

/** A record with links to its releases. */
export function linkedRecord(
  releases: readonly Pick<Release, 'ocid' | 'id' | 'date' | 'tag'>[],
  compiled: JsonObject & { readonly ocid: string },
  settings: Pick<OcdsSettings, 'publicBaseUrl'>,
): OcdsRecord {
  const links = releases.map((release) => linkedRelease(release, settings));
  return { ocid: compiled.ocid, releases: links, compiledRelease: compiled };
}

/** A release by its permanent address. */
export function linkedRelease(
  { ocid, id, date, tag }: Pick<Release, 'ocid' | 'id'> & Pick<LinkedRelease, 'date' | 'tag'>,
  { publicBaseUrl }: Pick<OcdsSettings, 'publicBaseUrl'>,
): LinkedRelease {
  return { url: `${publicBaseUrl}/api/ocds/releases/${ocid}/${id}`, date, tag };
}
