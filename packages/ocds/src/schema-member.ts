/** A member of an object in the release schema with its extensions. */
export interface Member {
  /** `null` is a valid value. */
  readonly nullable?: true;
  readonly required?: true;
  /** Present for lists: how two versions of the list merge (ocds.md 1.6). */
  readonly list?: 'whole' | 'byId';
  /** Definition of the object, or of the entries of the list. */
  readonly of?: string;
  /** A list of objects that may not be empty: no marker can say that it is gone. */
  readonly filled?: true;
}
