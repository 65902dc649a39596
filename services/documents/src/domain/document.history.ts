import type { DocumentVersion } from './document.ts';

/** The newest version of each document, by the moment of that version (http.md 2.4). Given oldest first. */
export function newestVersions(versions: readonly DocumentVersion[]): readonly DocumentVersion[] {
  const newest = new Map<string, DocumentVersion>();
  for (const version of versions) {
    // Taken out first: a map keeps the place of what it has, and the newest belongs at the end.
    newest.delete(version.record.id);
    newest.set(version.record.id, version);
  }
  return [...newest.values()];
}
