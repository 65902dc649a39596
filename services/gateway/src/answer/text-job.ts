import { textOfUtf8, encodeUtf8 } from '@procurement/kit/runtime/utf8';
import type { EncodeContext } from '../generations/codec.ts';
import { makeCodecs } from '../generations/codecs-by-segment.ts';
import type { PublicSegment } from '../generations/segments.ts';
import { indentJson } from '../json/indent-json.ts';

/** What a thread does with the text of an answer. */
export interface TextJob {
  readonly bytes: Uint8Array;
  /** Maps it to a segment. */
  readonly encode?: { readonly base: string; readonly segment: PublicSegment; readonly context: EncodeContext };
  readonly indents: boolean;
}

const codecsByBase = new Map<string, ReturnType<typeof makeCodecs>>();

/** The text after the job, as bytes of its own. */
export function doTextJob({ bytes, encode, indents }: TextJob): Uint8Array<ArrayBuffer> {
  let text = textOfUtf8(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (encode !== undefined) {
    const codecs = codecsByBase.get(encode.base) ?? makeCodecs(encode.base);
    codecsByBase.set(encode.base, codecs);
    text = codecs(encode.segment).encodeResponse(encode.context, text);
  }
  return new Uint8Array(encodeUtf8(indents ? indentJson(text) : text));
}
