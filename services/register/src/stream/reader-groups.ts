import type { StreamReader } from './stream-reader.ts';

/** The open streams: groups of readers with equal filters that have everything, and readers that catch up. */
export class ReaderGroups {
  readonly #live = new Map<string, Set<StreamReader>>();
  readonly #catchingUp = new Set<StreamReader>();

  get readers(): number {
    let readers = this.#catchingUp.size;
    for (const group of this.#live.values()) readers += group.size;
    return readers;
  }

  get groups(): ReadonlyMap<string, ReadonlySet<StreamReader>> {
    return this.#live;
  }

  all(): readonly StreamReader[] {
    return [...this.#catchingUp, ...[...this.#live.values()].flatMap((group) => [...group])];
  }

  /** Readers of whole tenders, which are in no group. */
  expanded(): readonly StreamReader[] {
    return [...this.#catchingUp].filter(({ expandedFor }) => expandedFor !== undefined);
  }

  leave(reader: StreamReader): void {
    this.#catchingUp.delete(reader);
    const group = this.#live.get(reader.key);
    group?.delete(reader);
    if (group?.size === 0) this.#live.delete(reader.key);
  }

  catchUp(reader: StreamReader): void {
    this.leave(reader);
    this.#catchingUp.add(reader);
  }

  join(reader: StreamReader): void {
    this.#catchingUp.delete(reader);
    const group = this.#live.get(reader.key) ?? new Set();
    this.#live.set(reader.key, group.add(reader));
  }
}
