import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';

/** Lists leaf commands in the help, with their full names and arguments. */
export const LEAF_COMMAND_HELP = {
  visibleCommands: listLeafCommands,
  /** Formats a command for the list of commands, such as `links check <file>`. */
  subcommandTerm: (command: CommandUnknownOpts): string => {
    const [, ...names] = getCommandPath(command).split(' ');
    const placeholders = command.registeredArguments.map((argument) => `<${argument.name()}>`);
    return [...names, ...placeholders].join(' ');
  },
};

export function createCommandGroup(
  name: string,
  description: string,
  commands: readonly CommandUnknownOpts[],
): CommandUnknownOpts {
  const group = new Command(name).description(description).helpCommand(false);
  for (const command of commands) group.addCommand(command);
  return group.configureHelp(LEAF_COMMAND_HELP);
}

/** Returns the full name of a command, such as `donation-form jobs run`. */
export function getCommandPath(command: CommandUnknownOpts): string {
  return command.parent ? `${getCommandPath(command.parent)} ${command.name()}` : command.name();
}

/** Lists all commands and subcommands, but no command groups. */
function listLeafCommands({ commands }: CommandUnknownOpts): CommandUnknownOpts[] {
  return commands.flatMap((command) =>
    command.commands.length > 0 ? listLeafCommands(command) : [command],
  );
}
