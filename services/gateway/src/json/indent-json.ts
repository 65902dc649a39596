import {
  ARRAY_END,
  ARRAY_START,
  COLON,
  COMMA,
  OBJECT_END,
  OBJECT_START,
  QUOTE,
  skipBlank,
  stringEnd,
  valueEnd,
} from './json-scanner.ts';

const INDENT = '    ';

/** Line break and indentation by depth, filled on first use. */
const LINE_STARTS: string[] = [];

function lineStart(depth: number): string {
  return (LINE_STARTS[depth] ??= `\n${INDENT.repeat(depth)}`);
}

/**
 * Indents a JSON text by four spaces (http.md 5.6). Never parses it, so that numbers keep the form in which they were stored:
 * `500.0` stays `500.0`. Expects valid JSON; empty objects and lists stay on one line.
 */
export function indentJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let at = skipBlank(text, 0);
  while (at < text.length) {
    const code = text.charCodeAt(at);
    let end = at + 1;
    switch (code) {
      case OBJECT_START:
      case ARRAY_START: {
        const next = skipBlank(text, end);
        if (isClosingBracket(text.charCodeAt(next))) {
          parts.push(text.charAt(at), text.charAt(next));
          end = next + 1;
        } else {
          depth += 1;
          parts.push(text.charAt(at), lineStart(depth));
        }
        break;
      }
      case OBJECT_END:
      case ARRAY_END:
        depth -= 1;
        parts.push(lineStart(depth), text.charAt(at));
        break;
      case COMMA:
        parts.push(',', lineStart(depth));
        break;
      case COLON:
        parts.push(': ');
        break;
      default:
        end = code === QUOTE ? stringEnd(text, at) : valueEnd(text, at);
        parts.push(text.slice(at, end));
    }
    at = skipBlank(text, end);
  }
  return parts.join('');
}

function isClosingBracket(code: number): boolean {
  return code === OBJECT_END || code === ARRAY_END;
}
