import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { FileContent } from './files.ts';

/** A file of the file system, for uploads. Its bytes are read while they are sent, from the beginning at each attempt. */
export async function openFile(path: string, type?: string): Promise<FileContent> {
  return { name: basename(path), content: await openAsBlob(path), ...(type === undefined ? {} : { type }) };
}
