const INDENT = '    ';

/**
 * Indents a JSON text by four spaces (http.md 5.6). Works on the text and never parses it, so that numbers keep the form
 * in which they were stored: `500.0` stays `500.0`. Expects valid JSON; empty objects and lists stay on one line.
 */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    switch (character) {
      case '"': {
        const end = stringEnd(text, at);
        parts.push(text.slice(at, end));
        at = end;
        continue;
      }
      case '{':
      case '[': {
        const next = skipBlank(text, at + 1);
        if (text[next] === '}' || text[next] === ']') {
          parts.push(character, text[next] ?? '');
          at = next + 1;
          continue;
        }
        depth += 1;
        parts.push(character, '\n', INDENT.repeat(depth));
        break;
      }
      case '}':
      case ']':
        depth -= 1;
        parts.push('\n', INDENT.repeat(depth), character);
        break;
      case ',':
        parts.push(',\n', INDENT.repeat(depth));
        break;
      case ':':
        parts.push(': ');
        break;
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        break;
      default: {
        const end = literalEnd(text, at);
        parts.push(text.slice(at, end));
        at = end;
        continue;
      }
    }
    at += 1;
  }
  return parts.join('');
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function literalEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && !'{}[],:" \n\r\t'.includes(text[at] ?? '')) at += 1;
  return at;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \n\r\t'.includes(text[at] ?? '')) at += 1;
  return at;
}
