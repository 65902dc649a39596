/** One fenced block of a document. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** Number of its first line of code, from 1. */
  readonly line: number;
  /** Why the tests do not run it: `<!-- not run: reason -->` before the fence. */
  readonly notRun?: string;
}

const BLOCK = /(?:<!-- not run: (?<reason>[^\n]+) -->\n+)?^```(?<language>\S*)\n(?<code>[^]*?)^```$/gm;

export function parseCodeBlocks(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(BLOCK)].map(({ 0: all, index, groups = {} }) => {
    const { reason, language = '', code = '' } = groups;
    const before = markdown.slice(0, index) + all.slice(0, all.indexOf('```'));
    const line = before.split('\n').length + 1;
    return { language, code, line, ...(reason === undefined ? {} : { notRun: reason }) };
  });
}

/** The blocks of one language that the tests run. */
export function runnable(blocks: readonly CodeBlock[], language: 'sh' | 'ts'): readonly CodeBlock[] {
  return blocks.filter((block) => block.language === language && block.notRun === undefined);
}

/** One script of all blocks, so that variables are carried. It says which block failed. */
export function writeScript(blocks: readonly CodeBlock[]): string {
  const failed = `trap 'test $? = 0 || echo "failed in the block of line $block" >&2' EXIT`;
  return [failed, ...blocks.map(({ code, line }) => `block=${line}\n${code}`)].join('\n');
}

/** One module of all blocks. Imports are hoisted by the language. */
export function writeModule(blocks: readonly CodeBlock[]): string {
  return `${blocks.map(({ code }) => code).join('\n')}export {};\n`;
}
