/** Choices of the parties whose contact points are published (ocds.md 2.2). */
export const CONTACT_POINTS = ['procuringEntity', 'all', 'none'] as const;

/** Configuration of ocds.md 5, as far as releases and packages depend on it. */
export interface OcdsSettings {
  /** `PUBLIC_BASE_URL`, without a slash at the end: the start of every address in releases and packages. */
  readonly publicBaseUrl: string;
  readonly ocidPrefix: string;
  readonly language: string;
  readonly includeTest: boolean;
  readonly contactPoints: (typeof CONTACT_POINTS)[number];
  readonly publisher: Publisher;
  readonly license: string;
  readonly publicationPolicy?: string;
}

export interface Publisher {
  readonly name: string;
  readonly scheme?: string;
  readonly uid?: string;
  readonly uri?: string;
}

/** Defaults of ocds.md 5. */
export const OCDS_DEFAULTS = {
  language: 'uk',
  contactPoints: 'procuringEntity',
  license: 'https://creativecommons.org/publicdomain/zero/1.0/',
  sandboxPrefix: 'ocds-213czf',
  sandboxPublisher: 'Sandbox',
} as const;

/** The prefix of another publisher: ProZorro. */
const FOREIGN_PREFIX = 'ocds-be6bcu';

/** Why nothing may be published with these settings, a sentence each; empty when something may. */
export function settingsProblems(settings: OcdsSettings, isSandbox: boolean): readonly string[] {
  const { ocidPrefix, publisher, license, publicationPolicy, publicBaseUrl } = settings;
  const urls = {
    PUBLIC_BASE_URL: publicBaseUrl,
    OCDS_PUBLISHER_URI: publisher.uri,
    OCDS_LICENSE: license,
    OCDS_PUBLICATION_POLICY: publicationPolicy,
  };
  return [
    ...(/^ocds-[a-z0-9]{6}$/.test(ocidPrefix) ? [] : ['OCDS_OCID_PREFIX does not have the form ocds-xxxxxx']),
    ...(ocidPrefix === FOREIGN_PREFIX ? [`OCDS_OCID_PREFIX ${FOREIGN_PREFIX} belongs to another publisher`] : []),
    ...(ocidPrefix === OCDS_DEFAULTS.sandboxPrefix && !isSandbox
      ? [`OCDS_OCID_PREFIX ${ocidPrefix} is the sample of the standard, for sandbox mode only`]
      : []),
    ...(publisher.name.trim() === '' ? ['OCDS_PUBLISHER_NAME is missing'] : []),
    ...(publicBaseUrl.endsWith('/') ? ['PUBLIC_BASE_URL ends with a slash'] : []),
    ...Object.entries(urls).flatMap(([name, url]) =>
      url === undefined || (/^https?:/.test(url) && URL.canParse(url)) ? [] : [`${name} is not an absolute URL`],
    ),
  ];
}
