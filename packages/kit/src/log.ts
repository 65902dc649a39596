import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/** A JSON log to standard output. Secrets are cut at the root, wherever somebody puts them. */
export function makeLog(service: string, level: string): Logger {
  return pino({
    name: service,
    level,
    base: { service },
    redact: {
      paths: [
        'token',
        '*.token',
        'access',
        '*.access',
        'authorization',
        '*.authorization',
        'headers["x-access-token"]',
        '*.headers["x-access-token"]',
        'headers["x-identity"]',
        'acc_token',
        '*.acc_token',
        'tokenHash',
        '*.tokenHash',
      ],
      censor: '[cut]',
    },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
