/** A file that browsers keep for a year: its name changes with its content. */
export interface Asset {
  readonly name: string;
  /** `Content-Type`. */
  readonly type: string;
  readonly body: string;
}
