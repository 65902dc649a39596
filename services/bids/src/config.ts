import { ConfigError, onOff, readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { privateKeysSetting, readPrivateKey } from '@procurement/kit/runtime/identity-keys';
import { logOriginSetting } from '@procurement/kit/runtime/log-origin';
import { secretKeys } from '@procurement/kit/runtime/secret-box';
import { makeSigner, type Signer } from '@procurement/proof/notes';
import { z } from 'zod';

/** Every setting of this service. The only reader of the environment is `main.ts`. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8082),
  LEGACY_GUARDS: z
    .enum(['open', 'strict'])
    .optional()
    .describe('Status guards of segments 2.3, 0 and 0.1 (rulings R3); default open in sandbox mode, strict otherwise'),
  BIDS_KEYS: secretKeys
    .optional()
    .describe(
      'Encrypts bids until they are opened: keys of at least 32 characters, with commas; the first encrypts, all decrypt. Required unless SEAL_BIDS=off. Lost keys are lost bids',
    ),
  SEAL_BIDS: onOff.default(true).describe('off: bids are stored in clear text; those that are encrypted stay readable'),
  BIDS_RECEIPT_KEY: privateKeysSetting
    .optional()
    .describe(
      'Signs receipts of bids: an Ed25519 key (PKCS #8 in base64); during a change a second one, with a comma, which will sign later. Without it there are no receipts',
    ),
  LEDGER_ORIGIN: logOriginSetting
    .optional()
    .describe('Name of the public log, which receipts of bids name. Required with BIDS_RECEIPT_KEY'),
} as const;

/** What signs receipts: the first key, under a name of its own beside that of the log. */
export interface ReceiptSigner {
  readonly origin: string;
  readonly signer: Signer;
}

export interface Config extends z.infer<z.ZodObject<typeof configShape>> {
  /** Undefined where there are no receipts: without a key, or where bids are stored in clear text. */
  readonly receiptSigner: ReceiptSigner | undefined;
}

/** Reads the settings; throws one error that names every bad variable. */
export function config(env: Readonly<Record<string, string | undefined>>): Config {
  const settings = readConfig(configShape, env);
  if (settings.SEAL_BIDS && settings.BIDS_KEYS === undefined)
    throw new ConfigError([`BIDS_KEYS: required unless SEAL_BIDS=off (${configShape.BIDS_KEYS.description})`]);
  const { LEDGER_ORIGIN: origin, BIDS_RECEIPT_KEY: [key] = [] } = settings;
  if (key === undefined) return { ...settings, receiptSigner: undefined };
  if (origin === undefined)
    throw new ConfigError([`LEDGER_ORIGIN: required with BIDS_RECEIPT_KEY (${configShape.LEDGER_ORIGIN.description})`]);
  const signer = makeSigner(`${origin}/bids`, readPrivateKey(key));
  return { ...settings, receiptSigner: settings.SEAL_BIDS ? { origin, signer } : undefined };
}
