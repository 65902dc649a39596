import { Command, CommanderError } from 'commander';

/** A command that did not do all that it was asked for. The operator reads the reason. */
export class RefusedCommandError extends Error {
  override readonly name = 'RefusedCommandError';
}

/** Arguments or input with which a command cannot begin. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Exit codes of operators' commands. 0: done. */
const EXIT = { refused: 1, usage: 2 } as const;

/** A program whose commands are added to it. Its help and its refusals go to `print`. */
export function commandLine(name: string, print: (line: string) => void): Command {
  const write = (text: string): void => print(text.trimEnd());
  return new Command(name).exitOverride().showHelpAfterError().configureOutput({ writeOut: write, writeErr: write });
}

/** Runs the command that the arguments name. Returns the exit code. Other errors than the two above are thrown. */
export async function runCommandLine(
  program: Command,
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  try {
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    if (!(error instanceof RefusedCommandError || error instanceof UsageError)) throw error;
    print(error.message);
    return error instanceof UsageError ? EXIT.usage : EXIT.refused;
  }
}
