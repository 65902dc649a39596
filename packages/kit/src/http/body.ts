import { isJsonObject } from '@procurement/contracts/reading/json-object';
import { problem, type Description } from '@procurement/contracts/problems/problems';
import { z } from 'zod';
import { REFUSAL_MEDIA_TYPE, type BodyResult } from '@procurement/contracts/reading/body-result';

/** Deepest nesting of a JSON body (http.md 4.5). */
export const DEPTH_MAX = 64;

/** Most commas outside strings, and so about the most values, of a JSON body (http.md 4.5). Parsing a million values takes 0.3 s. */
export const COMMAS_MAX = 100_000;

/** Largest JSON body in bytes (http.md 4.5). */
export const JSON_BYTES_MAX = 4 * 1024 * 1024;

const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the body of a JSON write. Checks the content type, then UTF-8, JSON and `data` (http.md 0.2 steps 6 and 9). Returns a
 * refusal as a value, because other refusals take precedence over it.
 */
export function readJsonBody(contentType: string | undefined, body: unknown): BodyResult {
  const type = mediaType(contentType);
  if (type === REFUSAL_MEDIA_TYPE) return parseCodecRefusal(body);
  if (type !== 'application/json') return { kind: 'refused', problem: problem('request.content-type') };
  const text = decodeUtf8(body);
  if (text === undefined || isTooComplex(text)) return { kind: 'refused', problem: problem('body.unreadable') };
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return { kind: 'refused', problem: problem('body.unreadable') };
  }
  if (!isJsonObject(root) || !isJsonObject(root['data'])) return { kind: 'refused', problem: problem('body.no-data') };
  const { data: _data, ...beside } = root;
  return { kind: 'data', data: root['data'], beside };
}

/** A refusal made by the gateway's codec. The gateway wrote the text, so a parse error is a bug and throws. */
function parseCodecRefusal(body: unknown): BodyResult {
  return { kind: 'refused', problem: CodecRefusalShape.parse(JSON.parse(decodeUtf8(body) ?? '')) };
}

// Descriptions are trees of texts, which the codec made and which are passed on unchanged.
const CodecRefusalShape = z.object({
  code: z.string(),
  status: z.int().min(400).max(499),
  errors: z.array(z.object({ location: z.string(), name: z.string(), description: z.custom<Description>() })),
});

/** Media type of a Content-Type header, without parameters, in lower case. */
export function mediaType(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function decodeUtf8(body: unknown): string | undefined {
  if (!Buffer.isBuffer(body)) return undefined;
  try {
    return utf8Decoder.decode(body);
  } catch {
    return undefined;
  }
}

/**
 * Whether brackets outside strings nest deeper than DEPTH_MAX, where recursion over the tree could overflow the stack, or there are
 * more than COMMAS_MAX values, which would take the event loop for long. Looked at before the text is parsed.
 */
export function isTooComplex(text: string): boolean {
  let depth = 0;
  let commas = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x2c) {
      commas += 1;
      if (commas > COMMAS_MAX) return true;
    }
  }
  return false;
}
