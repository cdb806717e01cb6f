import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { readPackageHomepage, readPackageVersion } from '../lib/package-file.ts';
import { testAlertsCommand } from './commands/alerts/test.ts';
import { backupCommand } from './commands/backup.ts';
import { checkCommand } from './commands/check.ts';
import { exportDonationsCommand } from './commands/donations/export.ts';
import { listDonationsCommand } from './commands/donations/list.ts';
import { resolveDonationCommand } from './commands/donations/resolve.ts';
import { retryDonationCommand } from './commands/donations/retry.ts';
import { reviewDonationsCommand } from './commands/donations/review.ts';
import { showDonationCommand } from './commands/donations/show.ts';
import { deleteDonorCommand } from './commands/donors/delete.ts';
import { exportDonorCommand } from './commands/donors/export.ts';
import { runJobsCommand } from './commands/jobs/run.ts';
import { checkKeysCommand } from './commands/keys/check.ts';
import { checkLinksCommand } from './commands/links/check.ts';
import { listOrganizationsCommand } from './commands/organizations/list.ts';
import {
  pauseOrganizationCommand,
  resumeOrganizationCommand,
} from './commands/organizations/pause-and-resume.ts';
import { reconcileCommand } from './commands/reconcile.ts';
import { restoreCommand } from './commands/restore.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { serveCommand } from './commands/serve.ts';
import { reportSettingsCommand } from './commands/settings/report.ts';
import { upgradeCommand } from './commands/upgrade.ts';
import { verifyCommand } from './commands/verify.ts';
import { listFailedWebhooksCommand } from './commands/webhooks/failed.ts';
import { listInboundWebhooksCommand } from './commands/webhooks/inbound/list.ts';
import { showInboundWebhookCommand } from './commands/webhooks/inbound/show.ts';
import { redirectWebhooksCommand } from './commands/webhooks/redirect.ts';
import { retryWebhooksCommand } from './commands/webhooks/retry.ts';
import { addHelpDetails } from './help.ts';
import { getCommandPath, configureUsageErrors } from './usage-errors.ts';

const EXIT_CODES_AND_DOCUMENTATION = `
Exit codes:
  0  success
  1  error, or "check", "keys check", "upgrade", "restore", "verify",
     "links check", or "reconcile" found a problem, or "donations review" lists
     a donation, or "donors delete" retained data that is still required
  2  "upgrade" or "restore" found no problem but requires your decision: the
     database was used by a later release, or data would be lost; or "verify"
     could not check the page

The commands for donations, donors, organizations, settings, and webhooks, and
"backup" and "reconcile", call a running server through its admin listener.
For an example, run: donation-form <command> --help

Documentation: ${readPackageHomepage()}
Paths such as docs/server/runbook.md are relative to this repository.`;

/** Creates the `donation-form` command with its subcommands. */
export function createProgram(): Command {
  const program = new Command('donation-form')
    .description('An embeddable donation form and its server.')
    .version(readPackageVersion(), '-v, --version', 'print the version')
    .helpCommand(false)
    .addCommand(serveCommand)
    .addCommand(checkCommand)
    .addCommand(upgradeCommand)
    .addCommand(verifyCommand)
    .addCommand(createCommandGroup('keys', 'Check keys and secrets.', [checkKeysCommand]))
    .addCommand(createCommandGroup('alerts', 'Test alerts.', [testAlertsCommand]))
    .addCommand(createCommandGroup('jobs', 'Run background jobs.', [runJobsCommand]))
    .addCommand(sandboxCommand)
    .addCommand(
      createCommandGroup('donations', 'List, review, and export donations.', [
        listDonationsCommand,
        showDonationCommand,
        retryDonationCommand,
        reviewDonationsCommand,
        resolveDonationCommand,
        exportDonationsCommand,
      ]),
    )
    .addCommand(
      createCommandGroup('donors', 'Export and delete personal data.', [
        exportDonorCommand,
        deleteDonorCommand,
      ]),
    )
    .addCommand(
      createCommandGroup('organizations', 'List, pause, and resume organizations.', [
        listOrganizationsCommand,
        pauseOrganizationCommand,
        resumeOrganizationCommand,
      ]),
    )
    .addCommand(
      createCommandGroup('webhooks', 'List, retry, and redirect webhooks.', [
        listFailedWebhooksCommand,
        retryWebhooksCommand,
        redirectWebhooksCommand,
        createCommandGroup('inbound', 'Inspect webhooks from the platforms.', [
          listInboundWebhooksCommand,
          showInboundWebhookCommand,
        ]),
      ]),
    )
    .addCommand(createCommandGroup('links', 'Check campaign links.', [checkLinksCommand]))
    .addCommand(createCommandGroup('settings', 'Report ignored settings.', [reportSettingsCommand]))
    .addCommand(reconcileCommand)
    .addCommand(backupCommand)
    .addCommand(restoreCommand)
    .configureHelp({ visibleCommands: listLeafCommands, subcommandTerm: formatCommandTerm })
    .addHelpText('after', EXIT_CODES_AND_DOCUMENTATION);
  addHelpDetails(program);
  configureUsageErrors(program);
  return program;
}

function createCommandGroup(
  name: string,
  description: string,
  commands: readonly CommandUnknownOpts[],
): CommandUnknownOpts {
  const group = new Command(name).description(description).helpCommand(false);
  for (const command of commands) group.addCommand(command);
  return group.configureHelp({
    visibleCommands: listLeafCommands,
    subcommandTerm: formatCommandTerm,
  });
}

/** Lists all commands and subcommands, but no command groups. */
function listLeafCommands({ commands }: CommandUnknownOpts): CommandUnknownOpts[] {
  return commands.flatMap((command) =>
    command.commands.length > 0 ? listLeafCommands(command) : [command],
  );
}

/**
 * Formats a command's name and arguments for the list of commands, such as `links check <file>`.
 */
function formatCommandTerm(command: CommandUnknownOpts): string {
  const [, ...names] = getCommandPath(command).split(' ');
  const placeholders = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  return [...names, ...placeholders].join(' ');
}
