import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

/** What esbuild writes beside a bundle. */
export interface SourceMapFile {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/**
 * The same map with one position for each line of our own code, and one for a whole file of a package.
 *
 * Node parses the map of a bundle when a stack is read for the first time, for example by `stream.Writable` when a client
 * has disconnected. The whole map of the gateway takes 300 ms and 80 MB then, in the middle of its requests.
 */
export function coarseSourceMap<T extends SourceMapFile>(map: T): T {
  const isOfPackage = map.sources.map((source) => source.includes('node_modules/'));
  let lastPlace: string | undefined;
  const lines = decode(map.mappings).map((segments) =>
    segments.flatMap((segment, n): SourceMapSegment[] => {
      if (segment.length === 1) return [];
      const [column, source, line, sourceColumn] = segment;
      const place = isOfPackage[source] === true ? `${source}` : `${source}:${line}`;
      // A reader of maps may look for a position in its own line only.
      if (place === lastPlace && (n > 0 || isOfPackage[source] === true)) return [];
      lastPlace = place;
      return [[column, source, line, sourceColumn]];
    }),
  );
  return { ...map, names: [], mappings: encode(lines) };
}
