// Rules of this repository that oxlint does not have. lint.test.ts breaks each of them once.

/** Names that do not describe the content of a file (CONTRIBUTING.md, "Names"). */
const VAGUE_NAMES = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'manager',
  'base',
  'core',
  'index',
]);

/** A reason may stand above the statement or member, or in the docstring of the function. */
const STATEMENT = /Statement$|Declaration$|Declarator$|^PropertyDefinition$|^Property$|^TSPropertySignature$|^Program$/;
const FUNCTION = /^FunctionDeclaration$|^MethodDefinition$/;

function enclosing(node, kind) {
  let at = node.parent;
  while (at && !kind.test(at.type)) at = at.parent;
  // The docstring of `export function` ends above the export.
  return at?.parent?.type === 'ExportNamedDeclaration' ? at.parent : at;
}

/** Whether a comment ends above the statement, is inside it before the end of the node, or is above the function. */
function hasReason(context, node) {
  const comments = context.sourceCode.getAllComments().map((comment) => comment.loc);
  const statement = enclosing(node, STATEMENT);
  const from = (statement ?? node).loc.start.line - 1;
  if (comments.some((loc) => loc.end.line >= from && loc.start.line <= node.loc.end.line)) return true;
  const owner = enclosing(node, FUNCTION);
  return owner !== undefined && owner !== null && comments.some((loc) => loc.end.line === owner.loc.start.line - 1);
}

/**
 * Only packages/kit/src/runtime/clock.ts reads the machine's clock. no-restricted-properties covers `Date.now`, `performance.now` and
 * `Math.random`; this covers `new Date()` and `Date()`, which have no property to restrict.
 */
const noMachineClock = {
  meta: {
    type: 'problem',
    messages: { clock: 'Use the injected Clock (packages/kit/src/runtime/clock.ts).' },
  },
  create(context) {
    const check = (node) => {
      const isDate = node.callee.type === 'Identifier' && node.callee.name === 'Date';
      if (isDate && (node.type === 'CallExpression' || node.arguments.length === 0)) {
        context.report({ node, messageId: 'clock' });
      }
    };
    return { NewExpression: check, CallExpression: check };
  },
};

/** A type assertion needs the reason why it is safe. */
const REASON = {
  type: 'problem',
  messages: { reason: 'Write above it (or in the docstring) why this is true, or let the types prove it.' },
};

const assertionHasReason = {
  meta: REASON,
  create(context) {
    const check = (node) => {
      const isConst = node.typeAnnotation?.type === 'TSTypeReference' && node.typeAnnotation.typeName?.name === 'const';
      if (!isConst && !hasReason(context, node)) context.report({ node, messageId: 'reason' });
    };
    return { TSAsExpression: check, TSNonNullExpression: check };
  },
};

const anyHasReason = {
  meta: REASON,
  create(context) {
    return {
      TSAnyKeyword(node) {
        if (!hasReason(context, node)) context.report({ node, messageId: 'reason' });
      },
    };
  },
};

const noVagueFileNames = {
  meta: {
    type: 'problem',
    messages: {
      vague: '"{{name}}" does not describe the content: name the file by its content, or import by subpath.',
    },
  },
  create(context) {
    return {
      Program(node) {
        const file = context.filename.split('/').at(-1);
        const name = file.slice(0, file.indexOf('.', 1));
        if (VAGUE_NAMES.has(name)) context.report({ node, messageId: 'vague', data: { name } });
      },
    };
  },
};

/** A test that sleeps is slow when it passes and flaky when it fails. */
const noSleep = {
  meta: {
    type: 'problem',
    messages: {
      sleep: 'Move the clock, or wait for a named condition (waitFor of @procurement/testing); never sleep.',
    },
  },
  create(context) {
    return {
      CallExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'setTimeout') {
          context.report({ node, messageId: 'sleep' });
        }
      },
      ImportDeclaration(node) {
        if (/^(node:)?timers\/promises$/.test(node.source.value)) context.report({ node, messageId: 'sleep' });
      },
    };
  },
};

const RAW_HTML = new Set(['dangerouslySetInnerHTML', 'innerHTML', 'outerHTML', 'insertAdjacentHTML']);

/** Text that becomes markup is how a tender would run something on a page (portal.md 12). */
const noRawHtml = {
  meta: {
    type: 'problem',
    messages: {
      raw: 'Let the renderer escape the text; of answers of the own origin, readDocument of page.ts makes a document.',
    },
  },
  create(context) {
    const check = (node, name) => {
      if (RAW_HTML.has(name)) context.report({ node, messageId: 'raw' });
    };
    return {
      JSXAttribute: (node) => check(node, node.name.name),
      MemberExpression: (node) => check(node, node.property.name),
    };
  },
};

const FRAGMENT = /^\*\s*(?:\*\s*)?(Of|By|With|Before|After|For|At|In|On|From)\b/;

/** A reader of a docstring that begins so has to read the code below it first, and then the docstring again. */
const docstringIsSentence = {
  meta: {
    type: 'problem',
    messages: { fragment: 'Begin with the subject, not with "{{word}}": "/** Size of the text in bytes. */".' },
  },
  create(context) {
    return {
      Program() {
        for (const { type, value, loc } of context.sourceCode.getAllComments()) {
          const [, word] = (type === 'Block' && FRAGMENT.exec(value)) || [];
          if (word !== undefined) context.report({ loc, messageId: 'fragment', data: { word } });
        }
      },
    };
  },
};

export default {
  meta: { name: 'house' },
  rules: {
    'no-machine-clock': noMachineClock,
    'assertion-has-reason': assertionHasReason,
    'any-has-reason': anyHasReason,
    'no-vague-file-names': noVagueFileNames,
    'no-sleep': noSleep,
    'no-raw-html': noRawHtml,
    'docstring-is-sentence': docstringIsSentence,
  },
};
