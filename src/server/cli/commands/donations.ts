import { Command, Option } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import {
  DECISIONS,
  includesAnyTime,
  LIST_STATUSES,
  MAX_RESOLVED_EVENTS,
} from '../../admin/actions/input-values.ts';
import type { ActionInput, ActionOutput } from '../../admin/actions/staff-actions.ts';
import { EVENT_KIND_LABELS, FREQUENCY_LABELS } from '../../admin/read-models/labels.ts';
import type { ReviewItem } from '../../admin/read-models/review-items.ts';
import { callServer } from '../admin-client.ts';
import { createCommandGroup } from '../command-group.ts';
import {
  formatRecords,
  formatTable,
  formatToMinute,
  joinLinesWithSlashes,
  printRecords,
} from '../format-table.ts';
import {
  byOption,
  configOption,
  createIntegerParser,
  noteOption,
  toSignature,
} from '../options.ts';
import { exportDonationsCommand } from './records.ts';

const listDonationsCommand = new Command('list')
  .summary('list donations')
  .description('List recent donations, from oldest to newest.')
  .addOption(configOption)
  .addOption(
    new Option(
      '--status <status>',
      'list only donations with this payment, platform, or renewal status',
    ).choices(LIST_STATUSES),
  )
  .option('--organization <id>', 'list only donations to this organization')
  .option('--days <number>', 'number of days to include', createIntegerParser(1, 3_660), 30)
  .action(async ({ config, status, organization, days }) => {
    const { items, isTruncated } = await callServer(config, 'donations.list', {
      days: String(days),
      status,
      organization,
    });
    if (isTruncated)
      process.stdout.write(
        `This list contains only the newest ${items.length} donations. To see others, filter ` +
          'by --status or --organization.\n',
      );
    const rows = items.map((item) => ({
      'time (UTC)': formatToMinute(item.createdAt),
      reference: item.reference,
      organization: item.organization,
      donor: item.donorName,
      amount: item.total,
      frequency: FREQUENCY_LABELS[item.frequency],
      payment: item.paymentStatus,
      platform: item.platformStatus ?? '',
      reason: item.reason,
    }));
    const period = includesAnyTime(status) ? '' : ` in the last ${formatCount(days, 'day')}`;
    printRecords(rows, `No matching donations${period}.`, 'amount');
  });

const showDonationCommand = new Command('show')
  .summary('show everything about a donation')
  .description(
    'Show everything about a donation: its data, its past review decisions, and the decisions ' +
      'that are currently possible.',
  )
  .argument('<reference>', 'reference of the donation or renewal')
  .addOption(configOption)
  .action(async (reference, { config }) => {
    const detail = await callServer(config, 'donations.show', { reference });
    process.stdout.write(formatDonationDetail(detail));
  });

type DonationDetail = ActionOutput<'donations.show'>;

function formatDonationDetail(report: DonationDetail): string {
  const { reference, total, donorName, createdAt, organization, donationFields, donorFields } =
    report;
  return [
    `${reference}  ${total}  ${donorName}  ${formatToMinute(createdAt)} UTC  ${organization}\n`,
    formatSection('Donation', formatFields(donationFields)),
    formatSection('Donor', formatFields(donorFields)),
    formatPayment(report),
    formatSection('Updates for the platform', formatEventRows(report)),
    formatSection('Review decisions', formatDecisionRows(report)),
    formatSection(
      `Possible decisions (to choose one, run "donation-form donations resolve ${reference} ` +
        '--decision …")',
      formatReviewOptions(report),
    ),
  ].join('');
}

function formatSection(title: string, rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? '' : `${title}\n${formatTable(rows)}`;
}

function formatFields(facts: DonationDetail['donationFields']): string[][] {
  return facts.map(([name, value]) => [`  ${name}`, joinLinesWithSlashes(value)]);
}

function formatPayment({ status, paymentFields, lastError, nextRetryAt }: DonationDetail): string {
  const facts = [
    ...paymentFields,
    ...(lastError === null ? [] : [['Last error', lastError] as const]),
    ...(nextRetryAt === null
      ? []
      : [['Next attempt', `${formatToMinute(nextRetryAt)} UTC`] as const]),
  ];
  return `Payment: ${status}\n${facts.length === 0 ? '' : formatTable(formatFields(facts))}`;
}

function formatEventRows({ events }: DonationDetail): string[][] {
  return events.map(
    ({ at, label, reference, amount, status, platformId, attempts, lastError, nextRetryAt }) => [
      `  ${formatToMinute(at)}`,
      label,
      reference,
      amount ?? '',
      // A delivered event has a reason only if it was not sent.
      status === 'delivered' && lastError !== null ? 'not needed' : status,
      [
        platformId === null ? '' : `id ${platformId}`,
        attempts > 0 ? `tried ${formatCount(attempts, 'time')}` : '',
        lastError ?? '',
        nextRetryAt === null ? '' : `next attempt ${formatToMinute(nextRetryAt)}`,
      ]
        .filter(Boolean)
        .join(', '),
    ],
  );
}

function formatDecisionRows({ decisions }: DonationDetail): string[][] {
  return decisions.map(({ at, by, decision, subject, from, to, note }) => [
    `  ${formatToMinute(at)}`,
    by,
    decision,
    `${subject}: ${from} → ${to}`,
    joinLinesWithSlashes(note),
  ]);
}

function formatReviewOptions({ reviewOptions }: DonationDetail): string[][] {
  return reviewOptions.map(({ decision, event, needsPlatformId, effect }) => [
    `  ${decision}`,
    `--event '${event}'${needsPlatformId ? ' --platform-gift-id <id>' : ''}`,
    effect,
  ]);
}

const retryDonationCommand = new Command('retry')
  .summary("retry a donation's pending steps now")
  .description(
    "Retry a donation's pending steps now: look up the payment and send pending updates to the " +
      'platform. Prints the results.',
  )
  .argument('<reference>', 'reference of the donation or renewal')
  .addOption(configOption)
  .action(async (reference, { config }) => {
    const { results } = await callServer(config, 'donations.retry', { reference });
    process.stdout.write(`${results.join('\n')}\n`);
  });

const resendCommand = new Command('resend')
  .summary('send the thank-you message again')
  .description("Send a donation's or renewal's thank-you message to the donor again.")
  .argument('<reference>', 'reference of the donation or renewal')
  .addOption(configOption)
  .action(async (reference, { config }) => {
    await callServer(config, 'donations.resend', { reference });
    process.stdout.write('The server will try to send the message again.\n');
  });

const reviewDonationsCommand = new Command('review')
  .summary('list donations that need review')
  .description(
    'List the donations that need manual review: those with changes that you must enter on the platform ' +
      'yourself because its API does not support them, and donations whose payment or platform ' +
      'record is uncertain. Exits with 1 if any donation needs review, so that a ' +
      'script or scheduler can notify you.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { items } = await callServer(config, 'review.list', {});
    process.stdout.write(
      items.length === 0 ? 'No donation needs review.\n' : formatReviewQueue(items),
    );
    if (items.length > 0) process.exitCode = 1;
  });

const resolveDonationCommand = new Command('resolve')
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
    createIntegerParser(1, MAX_RESOLVED_EVENTS),
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
    const signature = toSignature({ by, note });
    if (reference === undefined) {
      const selection = { ...filter, decision };
      process.stdout.write(await resolveSelection(config, selection, { confirm, signature }));
      return;
    }
    const { decision: saved, donation } = await callServer(config, 'donations.resolve', {
      reference,
      decision,
      event,
      platformId: platformGiftId,
      ...signature,
    });
    const { subject, from, to } = saved;
    process.stdout.write(
      `${reference}: changed ${subject} from ${from} to ${to}.${describeNextStep(reference, donation)}\n`,
    );
  });

/** Lists the selected events, or resolves them if `confirm` equals their number. */
async function resolveSelection(
  config: string,
  selection: ActionInput<'review.match'>,
  {
    confirm,
    signature,
  }: { readonly confirm: number | undefined; readonly signature: ReturnType<typeof toSignature> },
): Promise<string> {
  const { decision } = selection;
  const { items } = await callServer(config, 'review.match', selection);
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
  const { resolved, skipped } = await callServer(config, 'review.resolve', {
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

export function formatReviewQueue(items: readonly ReviewItem[]): string {
  const rows = items.map(({ at, kind, reference, amount, currency, status, reason }) => ({
    'time (UTC)': formatToMinute(at),
    event: EVENT_KIND_LABELS[kind].toLowerCase(),
    reference,
    amount: amount === null ? '' : `${amount} ${currency}`,
    'to do': status === 'needs_review' ? 'investigate' : 'enter',
    reason,
  }));
  return formatRecords(rows, 'amount');
}

export const donationsCommand = createCommandGroup(
  'donations',
  'List, review, and export donations.',
  [
    listDonationsCommand,
    showDonationCommand,
    retryDonationCommand,
    resendCommand,
    reviewDonationsCommand,
    resolveDonationCommand,
    exportDonationsCommand,
  ],
);
