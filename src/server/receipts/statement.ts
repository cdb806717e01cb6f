import { findLanguage, getTextDirection } from '@donation-form/core/i18n';
import { createMoneyFormatter } from '@donation-form/core/money';
import { formatDayInWords } from '../lib/format-day.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { RECEIPT_TEXTS } from './receipt-texts.ts';
import { type StatementLine, sumLines } from './statement-lines.ts';
import type { StatementPeriod } from './statement-period.ts';
import { STATEMENT_TEXTS } from './statement-texts.ts';

export interface StatementIssuer {
  readonly paper: ReceiptDocument['paper'];
  readonly issuer: ReceiptDocument['issuer'];
  readonly signature: string;
  readonly timeZone: string;
}

/**
 * Creates the statement of a donor's year, in the language of the latest donation and addressed as
 * on the latest receipt.
 * @param lines at least one.
 * @param now day of issue, in milliseconds since 1970.
 */
export function createStatement(
  lines: readonly StatementLine[],
  { firstDay, lastDay }: StatementPeriod,
  { paper, issuer, signature, timeZone }: StatementIssuer,
  now: number,
): ReceiptDocument {
  const language = findLanguage(lines.at(-1)!.language) ?? 'en';
  const direction = getTextDirection(language);
  const texts = STATEMENT_TEXTS[language];
  const receiptTexts = RECEIPT_TEXTS[language];
  // Days have no time zone.
  const formatDay = (time: number): string => formatDayInWords(time, language, 'UTC');
  const formatMoney = createMoneyFormatter(language, direction);
  const latest = lines.toSorted((one, other) => one.issuedAt - other.issuedAt).at(-1)!;
  return {
    language,
    direction,
    paper,
    title: texts.title,
    issuedOn: formatDayInWords(now, language, timeZone),
    issuer,
    recipient: latest.data.donor ?? { name: '', addressLines: [] },
    notices: lines.some(({ data }) => data.isTest) ? [receiptTexts.test] : [],
    details: [[texts.period, `${formatDay(toTime(firstDay))} – ${formatDay(toTime(lastDay))}`]],
    table: {
      columns: [receiptTexts.date, receiptTexts.number, receiptTexts.amount],
      rows: lines.map(({ data, receipt }) => [
        formatDay(Date.parse(data.day)),
        receipt,
        formatMoney(data.amount, data.currency, data.decimals),
      ]),
      totals: sumLines(lines).map(({ currency, decimals, amount }) => [
        texts.total,
        '',
        formatMoney(amount, currency, decimals),
      ]),
    },
    paragraphs: [texts.explanation],
    signature,
  };
}

function toTime(day: StatementPeriod['firstDay']): number {
  return day.toZonedDateTime('UTC').epochMilliseconds;
}
