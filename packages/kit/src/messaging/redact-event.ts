/** Names whose values are shown, with the form that such a value has. */
const SHOWN: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^id$|Id$/, /^(?:[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/],
  [/^(?:status|type)$/, /^[a-zA-Z][a-zA-Z.-]{0,39}$/],
  [/^(?:version|rev)$/, /^\d{1,15}$/],
];

const ELEMENTS_MAX = 3;

/**
 * What the data of an event look like, without what may be sealed or secret in them: names, kinds and sizes, and the values of ids,
 * statuses and versions. Of a list the first three elements.
 */
export function outlineOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, ELEMENTS_MAX).map((element) => outlineOf(element));
    return value.length > ELEMENTS_MAX ? [...shown, `${value.length - ELEMENTS_MAX} more`] : shown;
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, outlineOf(one, member)]));
  }
  if (SHOWN.some(([names, values]) => names.test(name) && values.test(String(value)))) return value;
  if (value === null) return null;
  return typeof value === 'string' ? `text of ${value.length} characters` : typeof value;
}
