import { Command } from '@commander-js/extra-typings';
import { AdminClient } from '../../admin-client.ts';
import { formatReviewQueue } from '../../format-review-queue.ts';
import { configOption } from '../../options.ts';

export const reviewDonationsCommand = new Command('review')
  .summary('list donations that need review')
  .description(
    'List the donations that need manual review: those with changes that you must enter on the platform ' +
      'yourself because its API does not support them, and donations whose payment or platform ' +
      'record is uncertain. Exits with 1 if any donation needs review, so that a ' +
      'script or scheduler can notify you.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { items } = await admin.perform('review.list', {});
    process.stdout.write(
      items.length === 0 ? 'No donation needs review.\n' : formatReviewQueue(items),
    );
    if (items.length > 0) process.exitCode = 1;
  });
