import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import type { ActionOutput } from '../../admin/actions/staff-actions.ts';
import { callServer } from '../admin-client.ts';
import { createCommandGroup } from '../command-group.ts';
import {
  byOption,
  configOption,
  fromOption,
  organizationOption,
  outputOption,
  toOption,
  toSignature,
} from '../options.ts';

/** Maximum number of donations in HMRC's schedule. */
const MAX_ROWS = 1_000;

const claimCommand = new Command('claim')
  .summary("write the rows of HMRC's Gift Aid schedule as CSV")
  .description(
    'Write the donations of a period that a Gift Aid declaration covers as CSV, in the columns ' +
      "of HMRC's schedule. Each file has at most 1,000 rows, as the schedule. Prints the total " +
      'and the refunds of donations in earlier claims. To claim nothing twice, use periods that ' +
      'do not overlap.',
  )
  .addOption(fromOption)
  .addOption(toOption)
  .addOption(outputOption)
  .addOption(organizationOption)
  .addOption(configOption)
  .action(async ({ config, output, from, to, organization }) => {
    const claim = await callServer(config, 'gift-aid.claim', { from, to, organization });
    const [{ CLAIM_COLUMNS }, { writeCsv }] = await Promise.all([
      import('../../reporting/gift-aid-claim.ts'),
      import('../write-csv.ts'),
    ]);
    const size = output === undefined ? Math.max(claim.rows.length, 1) : MAX_ROWS;
    for (let first = 0; first === 0 || first < claim.rows.length; first += size)
      await writeCsv(
        iterateRows(claim.rows.slice(first, first + size)),
        output === undefined ? undefined : numberFile(output, first / size + 1),
        { columns: CLAIM_COLUMNS, numberColumns: ['Amount'] },
      );
    process.stderr.write(formatSummary(claim));
  });

async function* iterateRows<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}

/** Inserts the number of the second and later files before the extension. */
function numberFile(file: string, number: number): string {
  return number === 1 ? file : file.replace(/(\.\w+)?$/, `-${number}$1`);
}

function formatSummary({
  rows,
  total,
  adjustments,
  adjustmentTotal,
}: ActionOutput<'gift-aid.claim'>): string {
  const lines = [`${formatCount(rows.length, 'row')}, GBP ${total} in total.`];
  if (adjustments.length > 0)
    lines.push(
      `Refunds and disputes of earlier claims, GBP ${adjustmentTotal} in total. Enter the tax on ` +
        'them as an adjustment in your claim:',
      ...adjustments.map(({ reference, amount }) => `  ${reference}  ${amount}`),
    );
  return `${lines.join('\n')}\n`;
}

const cancelCommand = new Command('cancel')
  .summary("cancel a donor's Gift Aid declarations")
  .description(
    "Cancel the Gift Aid declarations of a donation's donor. Claims contain no payments from " +
      'that day on. Earlier claims stay as they are.',
  )
  .argument('<reference>', 'reference of the donation with the declaration')
  .option('--from <date>', 'first day without Gift Aid, such as 2026-12-01 (default: today)')
  .addOption(byOption)
  .addOption(configOption)
  .action(async (reference, { config, from, by }) => {
    const { by: name } = toSignature({ by });
    const result = await callServer(config, 'gift-aid.cancel', { reference, from, by: name });
    process.stdout.write(
      result.canceled.map((canceled) => `${canceled}: canceled from ${result.from}.\n`).join(''),
    );
  });

export const giftAidCommand = createCommandGroup(
  'gift-aid',
  'Claim UK Gift Aid and cancel declarations.',
  [claimCommand, cancelCommand],
);
