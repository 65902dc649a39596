/** Event types that were published once and are no more. A name here is never given again: old streams still hold it. */
export const retiredEventTypes: readonly string[] = [];
