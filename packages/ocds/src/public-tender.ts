import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

/**
 * The `data` object of an anonymous `GET /api/2.5/tenders/{id}`. Only `readPublicTender` makes one, from public text, so that no
 * stored row with sealed members can be mapped (ocds.md 1.1).
 */
export type PublicTender = JsonObject & {
  readonly id: string;
  readonly tenderID: string;
  readonly status: string;
  readonly dateModified: string;
  readonly fromPublicText: unique symbol;
};

const RELIED_ON = ['id', 'tenderID', 'status', 'dateModified'] as const;
const TENDER_ID = /^[A-Za-z0-9-]+$/;

/** The tender in a text that the public can read; otherwise what is wrong with the text. Never throws. */
export function readPublicTender(text: string): PublicTender | { readonly invalid: string } {
  const value = parsed(text);
  if (!isJsonObject(value)) return { invalid: 'not a JSON object' };
  const missing = RELIED_ON.find((name) => typeof value[name] !== 'string' || value[name] === '');
  if (missing !== undefined) return { invalid: `no ${missing}` };
  if (Number.isNaN(Date.parse(String(value['dateModified'])))) return { invalid: 'dateModified is not a date' };
  if (!TENDER_ID.test(String(value['tenderID']))) return { invalid: 'tenderID cannot be part of an ocid' };
  // Safe cast: the four members were checked, every other member is read with a check.
  return value as PublicTender;
}

export function isInvalid(tender: PublicTender | { readonly invalid: string }): tender is { readonly invalid: string } {
  return 'invalid' in tender && !('tenderID' in tender);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
