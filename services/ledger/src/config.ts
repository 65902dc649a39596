import { ConfigError, readConfig, serviceShape } from '@procurement/kit/runtime/config';
import { logOriginSetting } from '@procurement/kit/runtime/log-origin';
import { privateKeysSetting, publicKeysSetting, readPrivateKey } from '@procurement/kit/runtime/identity-keys';
import { parseVkey, makeSigner, makeVerifier, type Signer, type Verifier } from '@procurement/proof/notes';
import { z } from 'zod';

/** All settings of this service. Only `main.ts` reads the environment. */
export const configShape = {
  ...serviceShape,
  PORT: serviceShape.PORT.default(8087),
  LEDGER_KEY: privateKeysSetting.describe(
    'Signs the log: an Ed25519 key (PKCS #8 in base64); two during a change, with a comma: both sign',
  ),
  LEDGER_BLIND_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'not 64 hex digits')
    .describe(
      'Hides texts behind their commitments: 64 hex digits, never changed. A start with another key is refused',
    ),
  LEDGER_ORIGIN: logOriginSetting.describe(
    'Name of the log: its public address without scheme and with `/log`, as `tenders.example.gov/log`. Never changed',
  ),
  BIDS_RECEIPT_PUBLIC_KEYS: publicKeysSetting
    .optional()
    .describe(
      'Public keys of BIDS_RECEIPT_KEY (SPKI in base64), with a comma: /log/keys tells them, signed by the log. Without them it tells none',
    ),
  LEDGER_STORE: z
    .string()
    .describe(
      'Where the log is stored: folder:<path>, or s3:<http or https>://<host>/<bucket>. Never restored to a past state',
    ),
  S3_ACCESS_KEY: z.string().optional().describe('Access key of the bucket'),
  S3_SECRET_KEY: z.string().optional().describe('Secret key of the bucket'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  LEDGER_INTERVAL_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(60_000)
    .default(5_000)
    .describe('Least time between two additions to the log, in milliseconds'),
  LEDGER_WITNESSES: z
    .string()
    .default('')
    .describe('Witnesses that sign checkpoints too: `<name> <vkey> <address>`, with commas'),
} as const;

type Settings = z.infer<z.ZodObject<typeof configShape>>;

/** An independent server that signs that the log has only grown. */
export interface Witness {
  /** Its name in the policy. */
  readonly name: string;
  readonly verifier: Verifier;
  readonly url: string;
}

export interface Config extends Settings {
  readonly signers: readonly Signer[];
  readonly blindKey: Buffer;
  readonly witnesses: readonly Witness[];
  /** Those that verify receipts of bids. */
  readonly receiptKeys: readonly Verifier[];
}

/** Reads the settings. Throws one error that names every invalid variable. */
export function config(env: Readonly<Record<string, string | undefined>>): Config {
  const settings = readConfig(configShape, env);
  const witnesses = settings.LEDGER_WITNESSES.split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseWitness);
  const known = witnesses.filter((witness) => witness !== undefined);
  if (known.length < witnesses.length || new Set(known.map(({ name }) => name)).size < known.length)
    throw new ConfigError([
      'LEDGER_WITNESSES: each is `<name> <vkey> <http or https address>`, with a name of its own',
    ]);
  return {
    ...settings,
    signers: settings.LEDGER_KEY.map((key) => makeSigner(settings.LEDGER_ORIGIN, readPrivateKey(key))),
    blindKey: Buffer.from(settings.LEDGER_BLIND_KEY, 'hex'),
    witnesses: known,
    receiptKeys: (settings.BIDS_RECEIPT_PUBLIC_KEYS ?? []).map((key) => parseReceiptKey(settings.LEDGER_ORIGIN, key)),
  };
}

/** The key of receipts has a name of its own (proof.md 5.3). The last 32 bytes of SPKI are the key. */
function parseReceiptKey(origin: string, spki: string): Verifier {
  return makeVerifier(`${origin}/bids`, Buffer.from(spki, 'base64').subarray(-32));
}

function parseWitness(entry: string): Witness | undefined {
  const [name = '', vkey = '', url = '', ...rest] = entry.split(/\s+/);
  const verifier = parseVkey(vkey);
  const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (verifier === undefined || verifier.type !== 4 || !isAddress || rest.length > 0) return undefined;
  return { name, verifier, url: url.replace(/\/+$/, '') };
}
