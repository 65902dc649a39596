/** What a client sends and gets by one operation: whole bodies, with their envelopes. */
export interface OperationExample {
  readonly request?: unknown;
  readonly response?: unknown;
}

/** Examples of one segment, by name of the operation. */
export type SegmentExamples = Readonly<Record<string, OperationExample>>;
