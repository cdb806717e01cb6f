import type { CommanderError, CommandUnknownOpts } from '@commander-js/extra-typings';

/** Replacements for Commander's error messages. */
const REWORDINGS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [
    /^option '(--[\w-]+)(?![\w-])[^']*' argument '(.*)' is invalid\./s,
    "Invalid value '$2' for $1.",
  ],
  [/^option '(--[\w-]+)(?![\w-])[^']*' argument missing$/, 'Missing value for $1.'],
  [/^required option '(--[\w-]+)(?![\w-])[^']*' not specified$/, 'Missing option $1.'],
  [/^missing required argument '(.*)'$/, 'Missing argument <$1>.'],
  [/\n\((Did you mean .*\?)\)$/, '. $1'],
];

/**
 * Makes a command and its subcommands print usage errors in our wording, followed by a hint to run
 * the command with `--help`.
 */
export function configureUsageErrors(command: CommandUnknownOpts): void {
  command.configureOutput({ outputError: () => undefined });
  command.exitOverride((error) => {
    if (error.exitCode !== 0 && error.code !== 'commander.help')
      process.stderr.write(`${formatUsageError(error, command)}\n`);
    throw error;
  });
  command.commands.forEach(configureUsageErrors);
}

function formatUsageError({ code, message }: CommanderError, command: CommandUnknownOpts): string {
  const problem =
    code === 'commander.excessArguments'
      ? `unexpected argument '${command.args[command.registeredArguments.length]}'`
      : REWORDINGS.reduce(
          (text, [pattern, replacement]) => text.replace(pattern, replacement),
          message.replace(/^error: /, ''),
        );
  const text = problem.charAt(0).toUpperCase() + problem.slice(1);
  const sentence = /[.?]$/.test(text) ? text : `${text}.`;
  return `${sentence} Run ${getCommandPath(command)} --help.`;
}

/** Returns the full name of a command, such as `donation-form jobs run`. */
export function getCommandPath(command: CommandUnknownOpts): string {
  return command.parent ? `${getCommandPath(command.parent)} ${command.name()}` : command.name();
}
