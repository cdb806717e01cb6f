import { Command } from '@commander-js/extra-typings';
import type { ReviewItem } from '../../../index.ts';
import { AdminClient } from '../../admin-client.ts';
import { formatReviewQueue } from '../../format-review-queue.ts';
import { configOption } from '../../options.ts';

export const reviewDonationsCommand = new Command('review')
  .summary('list donations that need review')
  .description(
    'List what needs review by a person: changes to enter on the platform because it has no ' +
      'call for them, and donations that may or may not have been paid or recorded. Exits with 1 ' +
      'if anything needs review, so that cron can report it.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    const { items } = await admin.getJson<{ items: readonly ReviewItem[] }>('/api/review-queue');
    process.stdout.write(
      items.length === 0 ? 'No donation needs review.\n' : formatReviewQueue(items),
    );
    if (items.length > 0) process.exitCode = 1;
  });
