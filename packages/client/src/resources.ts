import { downloadFile, buildForm, type Download, type FileContent, type UploadOptions } from './files.ts';
import type { Document, DocumentInput, DocumentPatch, DocumentWithHistory } from './resources.golden.ts';
import type { ApiRequest, RequestOptions, Send, TransportSettings } from './transport.ts';

/** An object at its own path. */
export interface Item<Shown, Patch> {
  get(options?: RequestOptions): Promise<Shown>;
  /** Changes the members that are given. Objects merge; lists merge by position, `{}` leaves an element as it is. */
  patch(change: Patch, options?: RequestOptions): Promise<Shown>;
}

export interface DeletableItem<Shown, Patch> extends Item<Shown, Patch> {
  /** The answer is the object as it was. */
  delete(options?: RequestOptions): Promise<Shown>;
}

export interface Collection<Shown, Input> {
  list(options?: RequestOptions): Promise<readonly Shown[]>;
  /** The owner token of the new object is kept in `tokens` of the client. */
  create(data: Input, options?: RequestOptions): Promise<Shown>;
}

export interface DocumentItem<Patch = DocumentPatch> extends Item<DocumentWithHistory, Patch> {
  /** Adds a version. Not repeated when the outcome is unknown: a repetition could add one more. */
  replace(file: FileContent, options?: UploadOptions): Promise<Document>;
  download(options?: RequestOptions): Promise<Download>;
}

export interface Documents<Input = DocumentInput, Patch = DocumentPatch> {
  /** The newest version of every document; with `all` every version. */
  list(options?: RequestOptions & { readonly all?: boolean }): Promise<readonly Document[]>;
  upload(file: FileContent, options?: UploadOptions): Promise<Document>;
  /** Adds a file that `uploadFile` brought to the document service. */
  register(data: Input, options?: RequestOptions): Promise<Document>;
  document(id: string): DocumentItem<Patch>;
}

/** Where an object is, and whose tokens may open it. */
export interface ResourcePath {
  /** Path below `/api/2.5`. */
  readonly path: string;
  /** Ids of the objects whose tokens may open it, the innermost first. */
  readonly owners: readonly string[];
}

/** A place below another. An object without a token of its own is opened by those of its parents. */
export function below(parent: ResourcePath, collection: string, id?: string): ResourcePath {
  return id === undefined
    ? { ...parent, path: `${parent.path}/${collection}` }
    : { path: `${parent.path}/${collection}/${encodeURIComponent(id)}`, owners: [id, ...parent.owners] };
}

/** Requests to one place, with the type of `data` by the contract of the route. */
export type Call = <Data>(
  method: ApiRequest['method'],
  request: Omit<ApiRequest, 'method' | 'path' | 'owners'>,
) => Promise<Data>;

export function callAt(send: Send, { path, owners }: ResourcePath): Call {
  return async <Data>(
    method: ApiRequest['method'],
    request: Omit<ApiRequest, 'method' | 'path' | 'owners'>,
  ): Promise<Data> => {
    const { body } = await send({ ...request, method, path: `/api/2.5${path}`, owners });
    // The contract of the route: resources.golden.ts is made of it, and test/e2e proves it.
    return body.data as Data;
  };
}

export function itemAt<Shown, Patch>(send: Send, place: ResourcePath): Item<Shown, Patch> {
  const call = callAt(send, place);
  return {
    get: async (options = {}) => call<Shown>('GET', { options }),
    patch: async (data, options = {}) => call<Shown>('PATCH', { data, options }),
  };
}

export function deletableAt<Shown, Patch>(send: Send, place: ResourcePath): DeletableItem<Shown, Patch> {
  const call = callAt(send, place);
  return { ...itemAt<Shown, Patch>(send, place), delete: async (options = {}) => call<Shown>('DELETE', { options }) };
}

export function collectionAt<Shown, Input>(send: Send, place: ResourcePath): Collection<Shown, Input> {
  const call = callAt(send, place);
  return {
    list: async (options = {}) => call<readonly Shown[]>('GET', { options }),
    create: async (data, options = {}) => call<Shown>('POST', { data, options }),
  };
}

/** Documents of the object at a place. */
export function documentsAt<Input = DocumentInput, Patch = DocumentPatch>(
  send: Send,
  settings: TransportSettings,
  parent: ResourcePath,
): Documents<Input, Patch> {
  const place = below(parent, 'documents');
  const call = callAt(send, place);
  return {
    list: async ({ all = false, ...options } = {}) =>
      call<readonly Document[]>('GET', { options, query: all ? { all: 'true' } : {} }),
    upload: async (file, options = {}) =>
      call<Document>('POST', { upload: buildForm(file, options.onProgress), options }),
    register: async (data, options = {}) => call<Document>('POST', { data, options }),
    document: (id) => documentAt(send, settings, below(parent, 'documents', id)),
  };
}

function documentAt<Patch>(send: Send, settings: TransportSettings, place: ResourcePath): DocumentItem<Patch> {
  const call = callAt(send, place);
  const item = itemAt<DocumentWithHistory, Patch>(send, place);
  return {
    ...item,
    replace: async (file, options = {}) =>
      call<Document>('PUT', { upload: buildForm(file, options.onProgress), isRepeatable: false, options }),
    download: async (options = {}) => downloadFile(settings, (await item.get(options)).url, place.owners, options),
  };
}
