/** The value of a table for a code of the API; undefined for one that it does not have, such as `constructor`. */
export function findValue<T>(table: Readonly<Record<string, T>>, code: string): T | undefined {
  return Object.hasOwn(table, code) ? table[code] : undefined;
}
