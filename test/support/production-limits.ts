/** The limits of an installation that is no sandbox. Most are per address, and hostile clients have addresses of their own. */
export const PRODUCTION_LIMITS = {
  RATE_READS_PER_SECOND: '140',
  RATE_WRITES_PER_SECOND: '20',
  UPLOADS_MAX: '4',
  CONNECTIONS_PER_ADDRESS_MAX: '256',
  REQUESTS_PER_ADDRESS_MAX: '128',
  FILES_PER_ADDRESS_MAX: '16',
} as const;
