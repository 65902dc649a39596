const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request with this method changes nothing. */
export function isReadingMethod(method: string): boolean {
  return READING_METHODS.has(method);
}
