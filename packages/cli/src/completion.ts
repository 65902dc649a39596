import type { Command } from 'commander';
import { UsageError } from './failures.ts';

/** The words that may follow a command: its commands and options. */
export function wordsAfter(root: Command, typed: readonly string[]): readonly string[] {
  let at = root;
  for (const word of typed) at = at.commands.find((command) => command.name() === word) ?? at;
  const options = [...at.options, ...root.options].flatMap(({ long }) => (long == null ? [] : [long]));
  return [...at.commands.map((command) => command.name()), ...new Set(options)];
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
  compadd -- \${(f)"$(procurement complete -- \${words[2,CURRENT-1]})"}
}
compdef _procurement procurement`,
  fish: `complete -c procurement -a '(procurement complete -- (commandline -opc)[2..-1])'`,
};

export function completionScript(shell: string): string {
  const script = SCRIPTS[shell];
  if (script === undefined) throw new UsageError(`shells: ${Object.keys(SCRIPTS).join(', ')}`);
  return script;
}
