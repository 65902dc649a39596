import type pg from 'pg';
import type { Connection, Submittable } from 'pg';

/** `COPY ... TO STDOUT`, by the interface that `pg` has for queries of other packages. */
export async function copyTo(client: pg.Client, text: string, onData: (chunk: Buffer) => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.query(copyQuery(text, { handleCopyData: ({ chunk }) => onData(chunk) }, { resolve, reject }));
  });
}

/** What a connection of `pg` has for `COPY ... FROM STDIN`; its types leave it out. */
interface CopyTarget {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Pipes rows of one database into a table of another. */
export async function copyBetween(
  from: { readonly client: pg.Client; readonly text: string },
  to: { readonly client: pg.Client; readonly text: string },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const begin = (connection: CopyTarget): void => {
      copyTo(from.client, from.text, (chunk) => connection.sendCopyFromChunk(chunk)).then(
        () => connection.endCopyFrom(),
        reject,
      );
    };
    to.client.query(copyQuery(to.text, { handleCopyInResponse: begin }, { resolve, reject }));
  });
}

interface CopyHandlers {
  handleCopyData?(message: { readonly chunk: Buffer }): void;
  handleCopyInResponse?(connection: CopyTarget): void;
}

function copyQuery(
  text: string,
  handlers: CopyHandlers,
  { resolve, reject }: { readonly resolve: () => void; readonly reject: (error: Error) => void },
): Submittable & Readonly<Record<string, unknown>> {
  const nothing = (): void => undefined;
  return {
    submit: (connection: Connection) => connection.query(text),
    handleRowDescription: nothing,
    handleDataRow: nothing,
    handleCommandComplete: nothing,
    handleReadyForQuery: resolve,
    handleError: reject,
    ...handlers,
  };
}
