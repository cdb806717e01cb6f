import { Command, Option } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import { DECISIONS, MAX_RESOLVED_EVENTS } from '../../../admin/actions/input-values.ts';
import type { ActionInput, ActionOutput } from '../../../admin/actions/staff-actions.ts';
import { formatReviewQueue } from '../../format-review-queue.ts';
import { AdminClient } from '../../admin-client.ts';
import {
  byOption,
  configOption,
  createIntegerParser,
  noteOption,
  toSignature,
} from '../../options.ts';

export const resolveDonationCommand = new Command('resolve')
  .summary('resolve donations that need review')
  .description(
    'Resolve a donation that needs review. "donation-form donations show" lists the possible ' +
      'decisions and their effects. To resolve many events (for example, after an outage), omit ' +
      'the reference and select them with --reason, --organization, --marked-from, or --marked-to. ' +
      'Without --confirm, the command lists the selected events and changes nothing.',
  )
  .argument('[reference]', 'reference of the donation or renewal')
  .addOption(
    new Option('--decision <decision>', 'your decision').choices(DECISIONS).makeOptionMandatory(),
  )
  .option('--event <event>', 'event to resolve if several events require a decision')
  .option('--platform-gift-id <id>', 'ID of the gift on the platform')
  .option('--reason <text>', 'select events by part of the review reason, such as "status 503"')
  .option('--organization <id>', 'select events by organization')
  .option(
    '--marked-from <time>',
    'select events marked for review at or after this time, such as 2026-11-30T10:00:00Z',
  )
  .option('--marked-to <time>', 'select events marked for review at or before this time')
  .option(
    '--confirm <count>',
    'resolve the selected events, but only if exactly <count> match',
    createIntegerParser({ min: 1, max: MAX_RESOLVED_EVENTS }),
  )
  .addOption(byOption)
  .addOption(noteOption)
  .addOption(configOption)
  .action(async (reference, options) => {
    const { config, decision, event, platformGiftId, by, note } = options;
    const { reason, organization, markedFrom, markedTo, confirm } = options;
    const filter = { reason, organization, from: markedFrom, to: markedTo };
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    if ((reference !== undefined) === isFiltered)
      throw new Error(
        'Specify either a reference or at least one of --reason, --organization, ' +
          '--marked-from, and --marked-to.',
      );
    const admin = await AdminClient.createFromConfiguration(config);
    if (reference === undefined) {
      const signature = toSignature({ by, note });
      process.stdout.write(
        await resolveSelection(admin, { ...filter, decision }, { confirm, signature }),
      );
      return;
    }
    const { decision: saved, donation } = await admin.perform('donations.resolve', {
      reference,
      decision,
      event,
      platformId: platformGiftId,
      ...toSignature({ by, note }),
    });
    const { subject, from, to } = saved;
    process.stdout.write(
      `${reference}: changed ${subject} from ${from} to ${to}.` +
        `${describeNextStep(reference, donation)}
`,
    );
  });

/**
 * Lists the selected events, or resolves them if `confirm` equals the number of selected events.
 */
async function resolveSelection(
  admin: AdminClient,
  selection: ActionInput<'review.match'>,
  {
    confirm,
    signature,
  }: { readonly confirm: number | undefined; readonly signature: ReturnType<typeof toSignature> },
): Promise<string> {
  const { decision } = selection;
  const { items } = await admin.perform('review.match', selection);
  const count = items.length;
  if (count === 0)
    return decision === 'not-recorded'
      ? 'No matching event can be resolved as not-recorded yet. If "donation-form donations ' +
          'review" lists matching events, their calls may still be running. Try again in a minute.\n'
      : `No matching event can be resolved as ${decision}.\n`;
  const list = formatReviewQueue(items);
  if (confirm === undefined)
    return (
      `${list}\nNothing was changed. To resolve all listed events as ${decision}, repeat the ` +
      `command with --confirm ${count}.\n`
    );
  if (confirm !== count)
    throw new Error(
      `Nothing was changed, because the number of matching events is ${count} instead of ` +
        `${confirm}. Repeat the command without --confirm to list them.`,
    );
  const { resolved, skipped } = await admin.perform('review.resolve', {
    decision,
    events: items.map((item) => item.event!),
    ...signature,
  });
  const rest =
    skipped === 0
      ? ''
      : ` Skipped ${formatCount(skipped, 'event')} that no longer required this decision.`;
  return `${list}\nResolved ${resolved} as ${decision}.${rest}\n`;
}

function describeNextStep(
  reference: string,
  donation: ActionOutput<'donations.resolve'>['donation'],
): string {
  if (donation === undefined)
    return (
      ' The decision was saved, but a later step failed. For details, run: donation-form ' +
      `donations show ${reference}`
    );
  if (donation.reviewOptions.length === 0) return '';
  return (
    ' Another decision is required. To see the possible decisions, run: donation-form donations ' +
    `show ${reference}`
  );
}
