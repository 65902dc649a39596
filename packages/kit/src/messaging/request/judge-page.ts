/** What a page is judged by. */
interface LinkedRow {
  readonly position: number;
  /** The publication before; undefined in a listing. */
  readonly previous: number | undefined;
}

/** Where a follower stands, and what the owner says about its log. */
export interface PageSituation<Row extends LinkedRow> {
  readonly position: number;
  readonly epoch: number;
  /** Nothing was followed from the position yet: it may be one of no publication. */
  readonly isUnlinked: boolean;
  readonly owner: {
    readonly epoch: number;
    readonly head: number;
    readonly oldest: number | undefined;
    /** Whether the owner tells of epochs that are newer than `epoch`. */
    readonly hasNewEpochs: boolean;
  };
  readonly publications: readonly Row[];
}

/** What to do with an answer of the owner. */
export type PageVerdict<Row extends LinkedRow> =
  /** Applies these; there may be more. */
  | { readonly kind: 'apply'; readonly publications: readonly Row[] }
  | { readonly kind: 'idle' }
  /** Applies the new epochs first. */
  | { readonly kind: 'epochs' }
  /** The log no longer has what follows the position: the owner lists its tenders instead. */
  | { readonly kind: 'hole' }
  /** Changes nothing, and asks again. */
  | { readonly kind: 'gap'; readonly after: number; readonly next: number }
  | { readonly kind: 'restored'; readonly head: number; readonly epoch: number };

/** Judges an answer of the owner of a log (register.md 2.4). A gap in the log is never stepped over. */
export function judgePage<Row extends LinkedRow>(situation: PageSituation<Row>): PageVerdict<Row> {
  const { position, epoch, isUnlinked, owner, publications } = situation;
  if (owner.hasNewEpochs) return { kind: 'epochs' };
  if (owner.epoch < epoch || owner.head < position) return { kind: 'restored', head: owner.head, epoch: owner.epoch };
  const linked = linkedPublications(position, isUnlinked, publications);
  if (linked.length > 0) return { kind: 'apply', publications: linked };
  const [next] = publications;
  if (next === undefined && owner.head === position) return { kind: 'idle' };
  const isBeforeLog = next === undefined ? owner.oldest === undefined : next.position === owner.oldest;
  return isBeforeLog ? { kind: 'hole' } : { kind: 'gap', after: position, next: next?.position ?? owner.head };
}

/** The publications up to the first that does not follow the one before it. */
function linkedPublications<Row extends LinkedRow>(
  position: number,
  isUnlinked: boolean,
  publications: readonly Row[],
): readonly Row[] {
  let reached = position;
  const end = publications.findIndex(({ previous, position: own }, n) => {
    const follows = isUnlinked && n === 0 ? previous !== undefined && previous <= position : previous === reached;
    reached = own;
    return !follows;
  });
  return end < 0 ? publications : publications.slice(0, end);
}
