import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { capitalize } from '@donation-form/core/i18n';
import { readPackageHomepage, readPackageVersion } from '../lib/package-file.ts';
import { createCommandGroup, getCommandPath, LEAF_COMMAND_HELP } from './command-group.ts';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import {
  alertsCommand,
  checkCommand,
  keysCommand,
  upgradeCommand,
  verifyCommand,
} from './commands/checks.ts';
import { donationsCommand } from './commands/donations.ts';
import { donorsCommand } from './commands/donors.ts';
import { giftAidCommand } from './commands/gift-aid.ts';
import { runJobsCommand } from './commands/jobs.ts';
import { checkLinksCommand } from './commands/links.ts';
import { mailCommand } from './commands/mail.ts';
import { organizationsCommand } from './commands/organizations.ts';
import { receiptsCommand, statementsCommand } from './commands/receipts.ts';
import { reconcileCommand } from './commands/records.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { serveCommand } from './commands/serve.ts';
import { reportSettingsCommand } from './commands/settings.ts';
import { staffCommand } from './commands/staff.ts';
import { webhooksCommand } from './commands/webhooks.ts';

const EXIT_CODES_AND_DOCUMENTATION = `
Exit codes:
  0  success
  1  error, or "check", "keys check", "upgrade", "restore", "verify",
     "links check", or "reconcile" found a problem, or "donations review" lists
     a donation, or "receipts list" misses a number, or "donors delete" retained
     data that is still required
  2  "upgrade" or "restore" found no problem but requires your decision: the
     database was used by a later release, or data would be lost; or "verify"
     could not check the page

The commands for donations, donors, Gift Aid, receipts, statements, organizations,
mail, settings, and webhooks, and "backup" and "reconcile", call a running server through its admin listener.
For an example, run: donation-form <command> --help

Documentation: ${readPackageHomepage()}
Paths such as docs/server/runbook.md are relative to this repository.`;

/** Headings in the list of commands, and the arguments in the example of each command. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Run:': {
    serve: '--config donation-form.config.json',
    check: '--config donation-form.config.json',
    upgrade: '--check',
    verify: 'https://www.example.org/give',
    'keys check': '--config donation-form.config.json',
    'alerts test': '--config donation-form.config.json',
    'jobs run': '--timeout 50',
    sandbox: '--database sandbox.sqlite',
  },
  'Donations and donors:': {
    'donations list': '--days 7 --status failed',
    'donations show': '7K4M9-QXD2P',
    'donations retry': '7K4M9-QXD2P',
    'donations resend': '7K4M9-QXD2P',
    'donations review': '',
    'donations resolve': '7K4M9-QXD2P --decision succeeded',
    'gift-aid cancel': '7K4M9-QXD2P --by Maria',
    'receipts list': '--year 2026',
    'receipts correct': '7K4M9-QXD2P --name "Ana Silva" --address "1 Main Street" Springfield',
    'receipts void': '7K4M9-QXD2P --reason "issued by post"',
    'statements show': 'ana@example.org --year 2026 --output statement.html',
    'donors export': 'ana@example.org',
    'donors delete': 'ana@example.org --by Maria',
  },
  'Organizations, links, and settings:': {
    'organizations list': '',
    'organizations pause': 'lanternwell --note "card testing"',
    'organizations resume': 'lanternwell',
    'links check': 'mailing.csv',
    'settings report': '',
  },
  'Staff:': {
    'staff add': '--email maria@example.org --name "Maria Silva"',
    'staff setup': '',
    'staff list': '',
  },
  'Mail:': {
    'mail test': 'you@example.org --language de',
    'mail pause': '',
    'mail resume': '',
    'mail resend': '',
    'mail block': 'mia@example.org',
    'mail unblock': 'mia@example.org',
  },
  'Webhooks:': {
    'webhooks failed': '',
    'webhooks retry': '',
    'webhooks redirect': 'https://old.example.org/hook https://www.example.org/hook',
    'webhooks inbound list': '',
    'webhooks inbound show': '42',
  },
  'Records:': {
    'donations export': '--from 2026-11-01 --to 2026-11-30 --output donations.csv',
    'gift-aid claim': '--from 2026-11-01 --to 2026-11-30 --output claim.csv',
    'receipts export': '--year 2026 --output receipts.csv',
    reconcile: '--from 2026-11-01 --to 2026-11-30',
    backup: 'backup.sqlite',
    restore: 'backup.sqlite --dry-run',
  },
};

export async function runCommand(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
  }
}

export function createProgram(): Command {
  const program = new Command('donation-form')
    .description('An embeddable donation form and its server.')
    .version(readPackageVersion(), '-v, --version', 'print the version')
    .helpCommand(false);
  for (const command of [
    serveCommand,
    checkCommand,
    upgradeCommand,
    verifyCommand,
    keysCommand,
    alertsCommand,
    createCommandGroup('jobs', 'Run background jobs.', [runJobsCommand]),
    sandboxCommand,
    donationsCommand,
    donorsCommand,
    giftAidCommand,
    receiptsCommand,
    statementsCommand,
    organizationsCommand,
    staffCommand,
    mailCommand,
    webhooksCommand,
    createCommandGroup('links', 'Check campaign links.', [checkLinksCommand]),
    createCommandGroup('settings', 'Report ignored settings.', [reportSettingsCommand]),
    reconcileCommand,
    backupCommand,
    restoreCommand,
  ] as readonly CommandUnknownOpts[])
    program.addCommand(command);
  program.configureHelp(LEAF_COMMAND_HELP).addHelpText('after', EXIT_CODES_AND_DOCUMENTATION);
  addHelpDetails(program);
  configureUsageErrors(program);
  return program;
}

/** Adds a heading and an example, which must exist, to the help of a command or its subcommands. */
function addHelpDetails(command: CommandUnknownOpts): void {
  if (command.commands.length > 0) {
    command.commands.forEach(addHelpDetails);
    return;
  }
  const path = getCommandPath(command);
  const name = path.slice(path.indexOf(' ') + 1);
  const [heading, { [name]: example }] = Object.entries(EXAMPLES).find(
    ([, examples]) => examples[name] !== undefined,
  )!;
  command.helpGroup(heading).addHelpText('after', `\nExample:\n  ${path} ${example}`.trimEnd());
}

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

/** Makes a command and its subcommands print usage errors in our wording. */
function configureUsageErrors(command: CommandUnknownOpts): void {
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
  const text = capitalize(problem);
  const sentence = /[.?]$/.test(text) ? text : `${text}.`;
  return `${sentence} Run ${getCommandPath(command)} --help.`;
}
