/** Event types that are no longer published. Their names are never reused, because old streams still contain them. */
export const retiredEventTypes: readonly string[] = [];
