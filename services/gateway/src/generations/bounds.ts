import { LIST_ELEMENTS_MAX } from '@procurement/contracts/limits';

/** The longest list that any body may have. */
export const LIST_MAX = Math.max(...Object.values(LIST_ELEMENTS_MAX));

/** Unknown names that a codec reports. A body of 4 MiB has room for 400,000, and the first tells the client enough. */
export const FAULTS_MAX = 100;

/**
 * False for a list that is longer than any list may be (docs/spec/limits.md): a codec passes it unchanged, and the service refuses it by
 * its length.
 */
export function isDecodableList(list: readonly unknown[]): boolean {
  return list.length <= LIST_MAX;
}

/**
 * Longest refusal whose names are encoded; a longer one passes unchanged. Its texts come from a body with more faults than a
 * person reads.
 */
const REFUSAL_LENGTH_MAX = 1024 * 1024;

/** True when a refusal may name a member of the body, and is short enough to be parsed. */
export function isEncodableRefusal(text: string): boolean {
  return text.length <= REFUSAL_LENGTH_MAX && text.includes('"body"');
}
