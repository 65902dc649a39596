import type { Document, Documents, FileContent, ProcurementClient, UploadOptions } from '@procurement/client';
import { openFile } from '@procurement/client/node';
import { UsageError } from './failures.ts';
import { progressText } from './output.ts';
import type { Session } from './session.ts';
import { showObject } from './show.ts';

/** Brings files up one after the other, and shows the document of each. */
export async function uploadEach(
  session: Session,
  files: readonly string[],
  upload: (file: FileContent, options: UploadOptions) => Promise<Document>,
): Promise<void> {
  const { output, signal } = session;
  for (const path of files) {
    const file = await openFile(path).catch(() => {
      throw new UsageError(`${path} cannot be read`);
    });
    const { progress } = output;
    const onProgress = (sentBytes: number, totalBytes: number): void =>
      progress?.(progressText(file.name, sentBytes, totalBytes));
    const document = await upload(file, { signal, ...(progress === undefined ? {} : { onProgress }) });
    showObject(session, document, ['document', ['id', 'title', 'format', 'hash', 'documentOf', 'relatedItem']]);
  }
}

/** Documents of the tender, or of the object at a path below it: `bids/<id>`, `awards/<id>/complaints/<id>`. */
function documentsAt(client: ProcurementClient, tenderId: string, path: string | undefined): Documents {
  const tender = client.tender(tenderId);
  const [collection = '', id = '', inner, innerId = ''] = path?.split('/') ?? [];
  if (path === undefined) return tender.documents;
  if (collection === 'awards' && inner === 'complaints') return tender.award(id).complaint(innerId).documents;
  const item = PARENTS[collection]?.(client, tenderId, id);
  if (item === undefined || id === '' || inner !== undefined) {
    throw new UsageError(`--to is <collection>/<id>; collections: ${Object.keys(PARENTS).join(', ')}`);
  }
  return item.documents;
}

type ParentOf = (client: ProcurementClient, tenderId: string, id: string) => { readonly documents: Documents };

const PARENTS: Readonly<Record<string, ParentOf>> = {
  bids: (client, tenderId, id) => client.tender(tenderId).bid(id),
  awards: (client, tenderId, id) => client.tender(tenderId).award(id),
  contracts: (client, tenderId, id) => client.tender(tenderId).contract(id),
  complaints: (client, tenderId, id) => client.tender(tenderId).complaint(id),
  cancellations: (client, tenderId, id) => client.tender(tenderId).cancellation(id),
};

export async function uploadDocuments(
  session: Session,
  tenderId: string,
  files: readonly string[],
  options: { readonly to?: string },
): Promise<void> {
  const documents = documentsAt(session.client, tenderId, options.to);
  await uploadEach(session, files, async (file, how) => documents.upload(file, how));
}
