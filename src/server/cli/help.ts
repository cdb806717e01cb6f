import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { getCommandPath } from './usage-errors.ts';

interface CommandHelp {
  /** Heading above the command in the list of commands. */
  readonly group: string;
  /** Arguments and options in the command's example. */
  readonly example: string;
}

const RUN = 'Run:';
const DONATIONS = 'Donations and donors:';
const ORGANIZATIONS = 'Organizations, links, and settings:';
const WEBHOOKS = 'Webhooks:';
const RECORDS = 'Records:';

/** Help for each command, keyed by the command's name without `donation-form`. */
const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  serve: { group: RUN, example: '--config donation-form.config.json' },
  check: { group: RUN, example: '--config donation-form.config.json' },
  upgrade: { group: RUN, example: '--check' },
  verify: { group: RUN, example: 'https://www.example.org/give' },
  'keys check': { group: RUN, example: '--config donation-form.config.json' },
  'alerts test': { group: RUN, example: '--config donation-form.config.json' },
  'jobs run': { group: RUN, example: '--timeout 50' },
  sandbox: { group: RUN, example: '--database sandbox.sqlite' },
  'donations list': { group: DONATIONS, example: '--days 7 --status failed' },
  'donations show': { group: DONATIONS, example: '7K4M9-QXD2P' },
  'donations retry': { group: DONATIONS, example: '7K4M9-QXD2P' },
  'donations review': { group: DONATIONS, example: '' },
  'donations resolve': { group: DONATIONS, example: '7K4M9-QXD2P --decision succeeded' },
  'donors export': { group: DONATIONS, example: 'ana@example.org' },
  'donors delete': { group: DONATIONS, example: 'ana@example.org --by Maria' },
  'organizations list': { group: ORGANIZATIONS, example: '' },
  'organizations pause': { group: ORGANIZATIONS, example: 'lanternwell --note "card testing"' },
  'organizations resume': { group: ORGANIZATIONS, example: 'lanternwell' },
  'links check': { group: ORGANIZATIONS, example: 'mailing.csv' },
  'settings report': { group: ORGANIZATIONS, example: '' },
  'webhooks failed': { group: WEBHOOKS, example: '' },
  'webhooks retry': { group: WEBHOOKS, example: '' },
  'webhooks redirect': {
    group: WEBHOOKS,
    example: 'https://old.example.org/hook https://www.example.org/hook',
  },
  'webhooks inbound list': { group: WEBHOOKS, example: '' },
  'webhooks inbound show': { group: WEBHOOKS, example: '42' },
  'donations export': {
    group: RECORDS,
    example: '--from 2026-11-01 --to 2026-11-30 --output donations.csv',
  },
  reconcile: { group: RECORDS, example: '--from 2026-11-01 --to 2026-11-30' },
  backup: { group: RECORDS, example: 'backup.sqlite' },
  restore: { group: RECORDS, example: 'backup.sqlite --dry-run' },
};

/**
 * Adds a heading and an example to a command's help. If the command is a group, adds them to the
 * help of each subcommand instead.
 */
export function addHelpDetails(command: CommandUnknownOpts): void {
  if (command.commands.length > 0) {
    command.commands.forEach(addHelpDetails);
    return;
  }
  const path = getCommandPath(command);
  const { group, example } = COMMANDS[path.slice(path.indexOf(' ') + 1)]!;
  command.helpGroup(group).addHelpText('after', `\nExample:\n  ${`${path} ${example}`.trimEnd()}`);
}
