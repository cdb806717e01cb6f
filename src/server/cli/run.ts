import { CommanderError } from '@commander-js/extra-typings';
import { createProgram } from './program.ts';

/** Runs a command and sets the process's exit code. */
export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode;
    } else {
      process.stderr.write(`${(error as Error).message}\n`);
      process.exitCode = 1;
    }
  }
}
