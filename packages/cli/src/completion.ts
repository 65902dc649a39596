import type { Command, Option } from 'commander';
import { UsageError } from './failures.ts';

/** Values by the name of the option or argument that takes them. */
export type KnownValues = Readonly<Record<string, () => readonly string[]>>;

/** The words that may follow: values of an option, or of an argument with commands and options. */
export function wordsAfter(root: Command, typed: readonly string[], known: KnownValues): readonly string[] {
  const { command, option, argumentsBefore } = completionPoint(root, typed);
  if (option !== undefined) return option.argChoices ?? known[option.attributeName()]?.() ?? [];
  const argument = command.registeredArguments[argumentsBefore]?.name() ?? '';
  return [
    ...(known[argument]?.() ?? []),
    ...command.commands.map((inner) => inner.name()),
    ...new Set(optionsOf(root, command).flatMap(({ long }) => (long == null ? [] : [long]))),
  ];
}

interface CompletionPoint {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly option?: Option | undefined;
  readonly argumentsBefore: number;
}

function completionPoint(root: Command, typed: readonly string[]): CompletionPoint {
  let point: CompletionPoint = { command: root, argumentsBefore: 0 };
  // bash makes three words of --profile=name.
  for (const word of typed.filter((one) => one !== '=')) point = pointAfter(root, point, word);
  return point;
}

function pointAfter(
  root: Command,
  { command, option, argumentsBefore }: CompletionPoint,
  word: string,
): CompletionPoint {
  if (option !== undefined) return { command, argumentsBefore };
  if (word.startsWith('-')) {
    const begun = optionsOf(root, command).find(({ long, required }) => required && long === word);
    return { command, option: begun, argumentsBefore };
  }
  const inner = command.commands.find((one) => one.name() === word);
  return inner === undefined
    ? { command, argumentsBefore: argumentsBefore + 1 }
    : { command: inner, argumentsBefore: 0 };
}

function optionsOf(root: Command, command: Command): readonly Option[] {
  return [...command.options, ...root.options];
}

/** Each asks `procurement complete <words>` for the words, so that an update of the command line needs no new script. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_procurement() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=($(compgen -W "$(procurement complete -- "\${words[@]}")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _procurement procurement`,
  zsh: `#compdef procurement
_procurement() {
  compadd -- \${(f)"$(procurement complete -- \${words[2,CURRENT-1]})"} || _files
}
compdef _procurement procurement`,
  fish: `complete -c procurement -a '(procurement complete -- (commandline -opc)[2..-1])'`,
};

export const SHELLS: readonly string[] = Object.keys(SCRIPTS);

export function completionScript(shell: string): string {
  const script = SCRIPTS[shell];
  if (script === undefined) throw new UsageError(`shells: ${SHELLS.join(', ')}`);
  return script;
}
