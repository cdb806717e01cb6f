import { loadConfiguration } from '../../config/load-configuration.ts';
import type { BookRow, Configuration, Difference, ExportLine, ReportLine } from '../../index.ts';
import {
  consentColumn,
  consentWordsColumn,
  fieldColumn,
  OTHER_FIELDS,
} from '../../reporting/export-rows.ts';
import { say, type Command, type Values } from '../command.ts';
import { writeTable } from '../csv.ts';
import { inColumns, readOperator } from '../operator.ts';

const BEFORE_COST = [
  'reference',
  'first_gift',
  'given_utc',
  'given_local',
  'time_zone',
  'status',
  'frequency',
  'gift',
  'covered_costs',
  'total',
  'currency',
] as const satisfies readonly (keyof BookRow)[];
const COST = ['fee', 'net', 'paid_out_currency'] as const satisfies readonly (keyof BookRow)[];
const AFTER_COST = [
  'refunded',
  'provider',
  'payment_id',
  'platform_gift_id',
  'projects',
  'segment',
] as const satisfies readonly (keyof BookRow)[];
const DONOR = [
  'organization',
  'first_name',
  'last_name',
  'email',
  'phone',
  'address1',
  'address2',
  'city',
  'state',
  'postal',
  'country',
  'anonymous',
  'comment',
  'tribute',
  'tribute_name',
  'tribute_message',
  'tribute_notify',
  'form',
  'page',
  'language',
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'utm_content',
  'utm_term',
  'utm_id',
  'ad_click_id',
];
const NUMBERS = [
  'gift',
  'covered_costs',
  'total',
  'fee',
  'net',
  'refunded',
] as const satisfies readonly (keyof BookRow)[];

export const reconcileCommand: Command = {
  usage: 'reconcile',
  about: `Compares what the payment processors, the journal and the platform say of the gifts of some days, --from DAY to --to DAY, such as
2026-11-01, and lists what is missing, double or different. Exits with 1 on a difference. With --csv FILE, each gift is a row of a
table: its sums, fee, times, ids and parts. With --take, renewals, refunds and the like whose webhooks were lost are taken into the journal.`,
  options: ['config', 'from', 'to', 'organization', 'csv', 'take'],
  async run({ config, take = false, csv, ...values }) {
    const { operator } = await loadConfiguration(config);
    const lines = readOperator<ReportLine>(operator, '/records/reconciliation', {
      ...periodIn(values),
      takes: take,
      hasRows: csv !== undefined,
    });
    const report = new Report();
    if (csv === undefined) for await (const line of lines) report.read(line);
    else
      await writeTable(rowsOf(lines, report), csv, {
        columns: [...BEFORE_COST, ...COST, ...AFTER_COST],
        numbers: NUMBERS,
      });
    say(report.text());
    return report.isClean ? 0 : 1;
  },
};

export const exportGiftsCommand: Command = {
  usage: 'gifts export',
  about: `Writes the gifts of some days, --from DAY to --to DAY, as a table with their donors, addresses, consents, custom fields and
tracking: to the standard output, or with --csv FILE to a file. No cell of it is a formula.`,
  options: ['config', 'from', 'to', 'organization', 'csv'],
  async run({ config, csv, ...values }) {
    const { operator } = await loadConfiguration(config);
    await writeExport(operator, periodIn(values), csv);
    return 0;
  },
};

async function writeExport(
  operator: Configuration['operator'],
  order: object,
  csv: string | undefined,
): Promise<void> {
  const lines = readOperator<ExportLine>(operator, '/records/gifts', order);
  const first = await lines.next();
  if (first.done === true || first.value.kind !== 'columns')
    throw new Error('The server broke off before the first gift; its log says why.');
  const { customFields, omitted, consents } = first.value;
  const fields = [...customFields.map(fieldColumn), ...(omitted > 0 ? [OTHER_FIELDS] : [])];
  const rows = async function* rows(): AsyncGenerator<Readonly<Record<string, string>>> {
    for await (const line of lines) if (line.kind === 'row') yield line.row;
  };
  await writeTable(rows(), csv, {
    columns: [
      ...BEFORE_COST,
      ...AFTER_COST,
      ...DONOR,
      ...fields,
      ...consents.flatMap((id) => [consentColumn(id), consentWordsColumn(id)]),
    ],
    numbers: NUMBERS,
  });
  if (omitted > 0)
    process.stderr.write(
      `${customFields.length + omitted} custom fields are in these gifts: the ${customFields.length} that most gifts have are columns, and the other ${omitted} stand together in ${OTHER_FIELDS}.\n`,
    );
}

function periodIn({ from, to, organization }: Pick<Values, 'from' | 'to' | 'organization'>): {
  from: string;
  to: string;
  organization?: string;
} {
  if (from === undefined || to === undefined)
    throw new Error(
      '--from and --to are required: the first and the last day, such as --from 2026-11-01 --to 2026-11-30.',
    );
  return { from, to, ...(organization !== undefined && { organization }) };
}

async function* rowsOf(
  lines: AsyncIterable<ReportLine>,
  report: Report,
): AsyncGenerator<Readonly<Record<string, string>>> {
  for await (const line of lines) {
    if (line.kind === 'row') yield { ...line.row };
    else report.read(line);
  }
}

/** What people read of a reconciliation. */
class Report {
  readonly #differences: Difference[] = [];
  readonly #underWay: string[] = [];
  readonly #taken: string[] = [];
  readonly #notCompared: string[] = [];
  #gifts = 0;
  #count = 0;
  #hasSilence = false;

  read(line: ReportLine): void {
    switch (line.kind) {
      case 'difference':
        this.#differences.push(line.difference);
        break;
      case 'under-way':
        this.#underWay.push(`  ${line.gift}  ${line.why}`);
        break;
      case 'taken':
        this.#taken.push(`  ${line.gift}  ${line.what}`);
        break;
      case 'not-compared':
        this.#notCompared.push(`NOT COMPARED with the ${line.where}: ${line.why}`);
        this.#hasSilence ||= line.isFailure;
        break;
      case 'end':
        this.#gifts = line.gifts;
        this.#count = line.differences;
        break;
      case 'progress':
      case 'row':
        break;
    }
  }

  get isClean(): boolean {
    return this.#count === 0;
  }

  text(): string {
    const found = this.#differences.length;
    const listed = (title: string, items: readonly string[]): string[] =>
      items.length === 0 ? [] : [title, ...items];
    return `${[
      ...this.#notCompared,
      ...listed('Taken into the journal:', this.#taken),
      ...listed('Under way, no difference yet:', this.#underWay),
      ...(this.#differences.length === 0
        ? []
        : [
            inColumns([
              ['what', 'where', 'gift', 'of it', 'found', 'expected'],
              ...this.#differences.map(({ what, where, gift, about, found, expected }) => [
                what,
                where,
                gift,
                about,
                found,
                expected,
              ]),
            ]).trimEnd(),
          ]),
      `${this.#gifts} ${this.#gifts === 1 ? 'gift' : 'gifts'}, ${countDifferences(found)}${this.#hasSilence ? ' in what was compared; not all was' : ''}.`,
    ].join('\n')}\n`;
  }
}

function countDifferences(found: number): string {
  if (found === 0) return 'no difference';
  return found === 1 ? '1 difference' : `${found} differences`;
}
