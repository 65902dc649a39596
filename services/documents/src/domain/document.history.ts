import type { DocumentVersion } from './document.ts';

/** The newest version of each document, in the order of these versions (http.md 2.4). Expects versions oldest first. */
export function newestVersions(versions: readonly DocumentVersion[]): readonly DocumentVersion[] {
  const newest = new Map<string, DocumentVersion>();
  for (const version of versions) {
    // Deleted first: a Map keeps the position of an existing key, and the newest version belongs at the end.
    newest.delete(version.record.id);
    newest.set(version.record.id, version);
  }
  return [...newest.values()];
}
