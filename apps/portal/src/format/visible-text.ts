/** Control, format (bidirectional, zero-width) and unassigned characters: they would hide or reorder what is written. */
const HIDDEN = /[^\P{C}\n\t]|[\u2028\u2029]/gu;

/** Shows hidden characters of a text of others as marks: `⟨U+202E⟩` (portal.md 9). */
export function visibleText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
