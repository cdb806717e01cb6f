import { Command } from '@commander-js/extra-typings';
import type { DonationDetail } from '../../../admin/read-models/donation-detail.ts';
import { AdminClient } from '../../admin-client.ts';
import { formatToMinute, formatTable, joinLinesWithSlashes } from '../../format-table.ts';
import { configOption } from '../../options.ts';

export const showDonationCommand = new Command('show')
  .summary('show everything about a donation')
  .description(
    'Show everything about a donation: its data, its past review decisions, and the decisions ' +
      'that are currently possible.',
  )
  .argument('<reference>', 'reference of the donation or renewal')
  .addOption(configOption)
  .action(async (reference, { config }) => {
    const admin = await AdminClient.createFromConfiguration(config);
    process.stdout.write(
      formatDonationDetail(await admin.perform('donations.show', { reference })),
    );
  });

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

/** Formats a section with a heading. Returns an empty string if the section is empty. */
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
        attempts > 0 ? `tried ${attempts} ${attempts === 1 ? 'time' : 'times'}` : '',
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
