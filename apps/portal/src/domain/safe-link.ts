/** An address that a tender names, as a link may lead to it. */
export interface SafeLink {
  readonly href: string;
  readonly host: string;
  /** Whether the address is one of the installation's own. */
  readonly own: boolean;
}

/** Judges whether a text of a tender may become a link. Undefined: it is shown as text (portal.md 12). */
export function safeLink(text: string, documentHosts: readonly string[]): SafeLink | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password, href, host } = new URL(text);
  if (!['https:', 'http:'].includes(protocol) || username !== '' || password !== '') return undefined;
  return { href, host, own: documentHosts.includes(host) };
}
