import { Command } from '@commander-js/extra-typings';
import type { DonorDeletion } from '../../privacy/donor-requests.ts';
import { callServer } from '../admin-client.ts';
import { createCommandGroup } from '../command-group.ts';
import { configOption, organizationOption } from '../options.ts';

const exportDonorCommand = new Command('export')
  .summary('print all stored data about a donor')
  .description(
    'Print all data that the server stores about a donor, in JSON format: donations and their ' +
      'events, tracking, consents, custom fields, and webhooks from the platform.',
  )
  .argument('<email>', "the donor's email")
  .addOption(configOption)
  .addOption(organizationOption)
  .action(async (email, { config, organization }) => {
    const record = await callServer(config, 'donors.export', { email, organization });
    process.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
  });

const deleteDonorCommand = new Command('delete')
  .summary("delete a donor's personal data")
  .description(
    "Delete a donor's personal data. Amounts, references, statuses, dates, and projects remain " +
      'for accounting. If some data is still needed, the command retains that data, prints the ' +
      'reason and the next step, and exits with 1.',
  )
  .argument('<email>', "the donor's email")
  .requiredOption('--by <name>', 'your name, to save with the donations')
  .addOption(configOption)
  .addOption(organizationOption)
  .action(async (email, { config, organization, by }) => {
    const deletion = await callServer(config, 'donors.delete', { email, by, organization });
    process.stdout.write(formatDeletion(deletion));
    if (deletion.retained.length > 0) process.exitCode = 1;
  });

function formatDeletion({ deleted, notifyEmailRemoved, retained }: DonorDeletion): string {
  const deletedCount = deleted.length + notifyEmailRemoved.length;
  if (deletedCount + retained.length === 0) return 'No donation has this email.\n';
  return [
    ...deleted.map((reference) => `deleted  ${reference}`),
    ...notifyEmailRemoved.map(
      (reference) =>
        `deleted  ${reference}: only the tribute notification email was deleted, because ` +
        'another donor made this donation',
    ),
    ...retained.map(({ reference, reason }) => `retained ${reference}: ${reason}`),
    ...(deletedCount > 0
      ? [
          'The payment provider, the platform, and your backups have their own copies of the ' +
            'data. Delete those copies too.',
        ]
      : []),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

export const donorsCommand = createCommandGroup('donors', 'Export and delete personal data.', [
  exportDonorCommand,
  deleteDonorCommand,
]);
