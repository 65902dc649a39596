import { OCDS_DEFAULTS, settingsProblems, type OcdsSettings } from '@procurement/ocds/settings';

/** Whether releases are made and served, and with which metadata (ocds.md 5). */
export type OcdsAccess = { readonly settings: OcdsSettings } | { readonly offBecause: string };

/** The settings of this service that ocds.md 5 names. */
export interface OcdsVariables {
  readonly SANDBOX_MODE: boolean;
  readonly PUBLIC_BASE_URL: string;
  readonly OCDS_ENABLED: boolean;
  readonly OCDS_OCID_PREFIX?: string | undefined;
  readonly OCDS_PUBLISHER_NAME?: string | undefined;
  readonly OCDS_PUBLISHER_SCHEME?: string | undefined;
  readonly OCDS_PUBLISHER_UID?: string | undefined;
  readonly OCDS_PUBLISHER_URI?: string | undefined;
  readonly OCDS_LICENSE: string;
  readonly OCDS_PUBLICATION_POLICY?: string | undefined;
  readonly OCDS_LANGUAGE: string;
  readonly OCDS_INCLUDE_TEST?: boolean | undefined;
  readonly OCDS_CONTACT_POINTS: OcdsSettings['contactPoints'];
}

/**
 * Reads the settings of OCDS. What is missing switches it off: nothing may ever be published under a sample ocid. What is wrong is
 * a problem of the configuration.
 */
export function ocdsAccess(env: OcdsVariables): OcdsAccess | { readonly problems: readonly string[] } {
  if (!env.OCDS_ENABLED) return { offBecause: 'OCDS_ENABLED is off' };
  const prefix = env.OCDS_OCID_PREFIX ?? (env.SANDBOX_MODE ? OCDS_DEFAULTS.sandboxPrefix : undefined);
  const name = env.OCDS_PUBLISHER_NAME ?? (env.SANDBOX_MODE ? OCDS_DEFAULTS.sandboxPublisher : undefined);
  // Stand-ins, so that a missing member is not a wrong one.
  const settings = buildSettings(env, prefix ?? STAND_IN_PREFIX, name ?? OCDS_DEFAULTS.sandboxPublisher);
  const problems = settingsProblems(settings, env.SANDBOX_MODE);
  if (problems.length > 0) return { problems };
  if (prefix === undefined) return { offBecause: 'OCDS_OCID_PREFIX is not set' };
  return name === undefined ? { offBecause: 'OCDS_PUBLISHER_NAME is not set' } : { settings };
}

const STAND_IN_PREFIX = 'ocds-000000';

function buildSettings(env: OcdsVariables, ocidPrefix: string, publisherName: string): OcdsSettings {
  const { OCDS_PUBLISHER_SCHEME: scheme, OCDS_PUBLISHER_UID: uid, OCDS_PUBLISHER_URI: uri } = env;
  return {
    publicBaseUrl: env.PUBLIC_BASE_URL.replace(/\/$/, ''),
    ocidPrefix,
    language: env.OCDS_LANGUAGE,
    includeTest: env.OCDS_INCLUDE_TEST ?? env.SANDBOX_MODE,
    contactPoints: env.OCDS_CONTACT_POINTS,
    publisher: {
      name: publisherName,
      ...(scheme === undefined ? {} : { scheme }),
      ...(uid === undefined ? {} : { uid }),
      ...(uri === undefined ? {} : { uri }),
    },
    license: env.OCDS_LICENSE,
    ...(env.OCDS_PUBLICATION_POLICY === undefined ? {} : { publicationPolicy: env.OCDS_PUBLICATION_POLICY }),
  };
}
