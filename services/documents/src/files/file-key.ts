const FILE_ID = /^[0-9a-f]{32}$/;

/** The storage key of a file, made of our own id: nothing that a client sends is part of a key (http.md 2.9). */
export function fileKeyOf(fileId: string): string {
  if (!FILE_ID.test(fileId)) throw new Error('invalid file id');
  return `files/${fileId.slice(0, 2)}/${fileId}`;
}
