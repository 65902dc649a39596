// House rules that oxlint has no rule of its own for. lint.test.ts proves that each of them can fail.

/** Names that name nothing: the code in such a file has no home yet. */
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

/** The places a reason may be written above: the statement or member, and the function whose docstring may give it. */
const STATEMENT = /Statement$|Declaration$|Declarator$|^PropertyDefinition$|^Property$|^TSPropertySignature$|^Program$/;
const FUNCTION = /^FunctionDeclaration$|^MethodDefinition$/;

function above(node, kind) {
  let at = node.parent;
  while (at && !kind.test(at.type)) at = at.parent;
  // `export function` begins with its export: that is where the docstring ends.
  return at?.parent?.type === 'ExportNamedDeclaration' ? at.parent : at;
}

/** True when a comment ends on the line above the statement, stands inside it before the node's end, or heads the function. */
function hasReason(context, node) {
  const comments = context.sourceCode.getAllComments().map((comment) => comment.loc);
  const statement = above(node, STATEMENT);
  const from = (statement ?? node).loc.start.line - 1;
  if (comments.some((loc) => loc.end.line >= from && loc.start.line <= node.loc.end.line)) return true;
  const owner = above(node, FUNCTION);
  return owner !== undefined && owner !== null && comments.some((loc) => loc.end.line === owner.loc.start.line - 1);
}

/**
 * The machine's clock is asked in packages/kit/src/time.ts only. `Date.now`, `performance.now` and `Math.random` are
 * caught by no-restricted-properties; this catches `new Date()` and `Date()`, which have no property to restrict.
 */
const noMachineClock = {
  meta: {
    type: 'problem',
    messages: { clock: 'Ask the injected Clock (packages/kit/src/time.ts) instead of the machine.' },
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

/** What silences the compiler owes its reader the reason why that is safe. */
const REASON = {
  type: 'problem',
  messages: { reason: 'Say in a comment above (or in the docstring) why this is true, or let the types prove it.' },
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
    messages: { vague: '"{{name}}" names nothing: call the file after what it does, or import by subpath.' },
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

/** A test that sleeps is slow when all is well and flaky when it is not. */
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

export default {
  meta: { name: 'house' },
  rules: {
    'no-machine-clock': noMachineClock,
    'assertion-has-reason': assertionHasReason,
    'any-has-reason': anyHasReason,
    'no-vague-file-names': noVagueFileNames,
    'no-sleep': noSleep,
  },
};
