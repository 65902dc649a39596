import { downloadFile, type Download } from './files.ts';
import type {
  CursorLink,
  ExportEntry,
  ExportFile,
  ExportManifest,
  FoundBuyer,
  FoundTender,
  GetStatisticsQuery,
  ListExportsQuery,
  ListRevisionsQuery,
  LookupEntry,
  LookupTendersQuery,
  PatchOperation,
  Revision,
  SearchBuyersQuery,
  SearchFacets,
  SearchSpelling,
  SearchTendersQuery,
  SearchTotal,
  StatisticsCell,
  Tender,
} from './resources.golden.ts';
import { buildQuery, type RequestOptions, type Send, type TransportSettings } from './transport.ts';

export interface FoundTenders {
  readonly data: readonly FoundTender[];
  /** Present when asked for by `total: '1'`. */
  readonly total?: SearchTotal;
  /** Present when asked for by `facets`. */
  readonly facets?: SearchFacets;
  /** Words that occur nowhere, with similar ones that do. */
  readonly spelling?: SearchSpelling;
  /** Absent on the last page. */
  readonly next_page?: CursorLink;
}

export interface LookedUp {
  readonly data: readonly LookupEntry[];
  /** Ids that name no public tender. */
  readonly missing: readonly string[];
  /** What did not fit, when `expand` was asked for. Ask for it again. */
  readonly deferred?: readonly string[];
}

export interface TenderRevision {
  /** The tender as everybody could read it then. */
  readonly data: Tender;
  readonly revision: Revision;
}

/** One export. */
export interface ExportItem {
  manifest(options?: RequestOptions): Promise<ExportManifest>;
  /** The bytes of a file from `fromByte` on: give what is stored already to resume a download. */
  download(file: Pick<ExportFile, 'url'>, options?: RequestOptions & { readonly fromByte?: number }): Promise<Download>;
}

/** Reads beyond one tender. They need no key. */
export interface Register {
  /** Tenders by `id` or `tenderID`, up to 100. */
  lookup(ids: readonly string[], query?: Omit<LookupTendersQuery, 'ids'>, options?: RequestOptions): Promise<LookedUp>;
  /** Every tender that matches, page after page. */
  search(query: SearchTendersQuery, options?: RequestOptions): AsyncGenerator<FoundTender, void>;
  /** One page, with its total, facets and spelling. */
  searchPage(query: SearchTendersQuery, options?: RequestOptions): Promise<FoundTenders>;
  searchBuyers(query: SearchBuyersQuery, options?: RequestOptions): Promise<readonly FoundBuyer[]>;
  statistics(query: GetStatisticsQuery, options?: RequestOptions): AsyncGenerator<StatisticsCell, void>;
  /** Exports, the newest first. */
  exports(query?: ListExportsQuery, options?: RequestOptions): AsyncGenerator<ExportEntry, void>;
  /**
   * An export by name, or the newest of a kind: `latest-tenders`, `latest-revisions`, `latest-changes`, `latest-releases`,
   * `latest-records`.
   */
  export(name: string): ExportItem;
}

/** The public history of a tender. */
export interface History {
  /** Every revision, the oldest first unless `descending`. */
  list(query?: Omit<ListRevisionsQuery, 'at'>, options?: RequestOptions): AsyncGenerator<Revision, void>;
  get(rev: number, options?: RequestOptions): Promise<TenderRevision>;
  /** The tender as it was public at that instant. */
  at(instant: string, options?: RequestOptions): Promise<TenderRevision>;
  /** The JSON Patch that makes `rev` of the revision before it, or of `from`. */
  changes(rev: number, from?: number, options?: RequestOptions): Promise<readonly PatchOperation[]>;
}

type Query = Readonly<Record<string, string | number | undefined>>;
type Read = <Body>(path: string, query: Query, options: RequestOptions | undefined) => Promise<Body>;

function makeReader(send: Send): Read {
  return async <Body>(path: string, query: Query, options: RequestOptions = {}): Promise<Body> => {
    const { body } = await send({ method: 'GET', path: `/api/2.5${path}`, query: buildQuery(query), options });
    // The contract of the route: tools/client/operations.test.ts and test/e2e/client-register.test.ts prove it.
    return body as Body;
  };
}

interface Page<Entry> {
  readonly data: readonly Entry[];
  readonly next_page?: CursorLink;
}

/** The entries of all pages. */
async function* readEntries<Entry>(
  read: Read,
  path: string,
  query: Query,
  options: RequestOptions | undefined,
): AsyncGenerator<Entry, void> {
  let { cursor } = query;
  for (;;) {
    const page = await read<Page<Entry>>(path, { ...query, cursor }, options);
    yield* page.data;
    if (page.next_page === undefined) return;
    ({ cursor } = page.next_page);
  }
}

export function makeRegister(send: Send, settings: TransportSettings): Register {
  const read = makeReader(send);
  return {
    lookup: async (ids, query = {}, options) => read<LookedUp>('/lookup', { ids: ids.join(','), ...query }, options),
    search: (query, options) => readEntries<FoundTender>(read, '/search', { ...query }, options),
    searchPage: async (query, options) => read<FoundTenders>('/search', { ...query }, options),
    async searchBuyers(query, options) {
      const { data } = await read<Page<FoundBuyer>>('/search/buyers', { ...query }, options);
      return data;
    },
    statistics: (query, options) => readEntries<StatisticsCell>(read, '/statistics', { ...query }, options),
    exports: (query = {}, options) => readEntries<ExportEntry>(read, '/exports', { ...query }, options),
    export: (name) => exportAt(read, settings, name),
  };
}

function exportAt(read: Read, settings: TransportSettings, name: string): ExportItem {
  return {
    async manifest(options) {
      const { data } = await read<{ readonly data: ExportManifest }>(
        `/exports/${encodeURIComponent(name)}`,
        {},
        options,
      );
      return data;
    },
    download: async ({ url }, { fromByte = 0, ...options } = {}) => downloadFile(settings, url, [], options, fromByte),
  };
}

export function historyAt(send: Send, tenderPath: string): History {
  const read = makeReader(send);
  const path = `${tenderPath}/history`;
  return {
    list: (query = {}, options) => readEntries<Revision>(read, path, { ...query }, options),
    get: async (rev, options) => read<TenderRevision>(`${path}/${rev}`, {}, options),
    at: async (instant, options) => read<TenderRevision>(path, { at: instant }, options),
    async changes(rev, from, options) {
      const { data } = await read<Page<PatchOperation>>(`${path}/${rev}/changes`, { from }, options);
      return data;
    },
  };
}
