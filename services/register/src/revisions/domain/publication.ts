/** One publication of the owner's log, or one row of its listing. Positions are microseconds since 1970 UTC. */
export interface Publication {
  readonly position: number;
  /** The publication before; undefined in a listing. */
  readonly previous: number | undefined;
  readonly id: string;
  readonly rev: number;
  /** The first public revision of its tender, by its owner or by the archive. */
  readonly isFirst?: true;
  readonly listed: boolean;
  readonly isTest: boolean;
  /** Bit set over `PUBLICATION_CAUSES`. */
  readonly causes: bigint;
  /** The text as published; undefined when the tender is not listed. */
  readonly text: string | undefined;
  /** A member was removed from the text here. */
  readonly redacted?: true;
}

/** What is stored of a tender before a publication is applied. */
export interface KnownTender {
  readonly position: number;
  readonly rev: number;
  readonly created: number;
  readonly complete: boolean;
  /** The newest text. */
  readonly body: string | undefined;
}

/** What is stored before publications are applied, by the id of the tender. */
export type KnownTenders = ReadonlyMap<string, KnownTender>;

/** Where publications come from. */
export interface PublicationSource {
  /** The publications come from a listing: revisions before them are not known. */
  readonly baseline: boolean;
  /** Texts are stored unread: reading one of them has failed. */
  readonly unread: boolean;
}
