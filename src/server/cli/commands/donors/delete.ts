import { Command } from '@commander-js/extra-typings';
import type { DonorDeletion } from '../../../privacy/donor-requests.ts';
import { AdminClient } from '../../admin-client.ts';
import { configOption, organizationOption } from '../../options.ts';

export const deleteDonorCommand = new Command('delete')
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
    const admin = await AdminClient.createFromConfiguration(config);
    const deletion = await admin.perform('donors.delete', { email, by, organization });
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
