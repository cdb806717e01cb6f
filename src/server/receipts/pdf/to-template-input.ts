import type { Language } from '@donation-form/core/i18n';
import type { ReceiptDocument } from '../receipt-document.ts';
import { breakLongWords, isolateNumbers, isolateText, removeControls } from './prepare-text.ts';

/** @returns the JSON that `RECEIPT_TEMPLATE` expects in `sys.inputs.receipt`. */
export function toTemplateInput(receipt: ReceiptDocument): string {
  const { language, direction, title, number = '', issuer, recipient, table } = receipt;
  const locale = new Intl.Locale(language);
  const { toText, toValue } = createTextFunctions(direction);
  const toRow = (cells: readonly string[]): string[] => cells.map(toValue);
  const identifiers = issuer.identifiers.map(([label, value]) => `${label}: ${value}`);
  return JSON.stringify({
    lang: locale.language,
    region: locale.script === 'Hans' ? 'CN' : (locale.region ?? null),
    direction,
    paper: receipt.paper ?? 'a4',
    fonts: listFonts(language),
    documentTitle: removeControls(`${title} ${number}`.trim()),
    author: removeControls(issuer.name),
    title: toText(title),
    number: toValue(number),
    subtitle: [number, receipt.issuedOn].filter((text) => text !== '').map(toValue),
    issuer: {
      name: toValue(issuer.name),
      lines: [...issuer.addressLines, ...identifiers].map(toValue),
    },
    recipient: {
      name: toValue(recipient.name),
      addressLines: recipient.addressLines.map(toValue),
    },
    notices: receipt.notices.map(toText),
    details: receipt.details.map(([label, value]) => [toText(label), toValue(value)]),
    table: table
      ? {
          columns: table.columns.map(toText),
          rows: table.rows.map(toRow),
          totals: table.totals.map(toRow),
        }
      : null,
    paragraphs: receipt.paragraphs.map(toText),
    signature: receipt.signature.split('\n').map(toValue),
  });
}

/**
 * Returns functions that prepare a text in the receipt's language, and a value, which may be in
 * another language.
 */
function createTextFunctions(direction: ReceiptDocument['direction']) {
  const toPlainText = (text: string): string => breakLongWords(removeControls(text));
  if (direction === 'ltr') return { toText: toPlainText, toValue: toPlainText };
  const toText = (text: string): string => isolateNumbers(toPlainText(text));
  return { toText, toValue: (text: string) => (text === '' ? '' : isolateText(toText(text))) };
}

/**
 * Families of Debian's packages `fonts-noto-core` and `fonts-noto-cjk`. For characters that they
 * lack, Typst looks in all other fonts.
 */
function listFonts(language: Language): string[] {
  return [
    'Noto Sans',
    'Noto Sans Arabic',
    'Noto Sans Hebrew',
    'Noto Sans Devanagari',
    `Noto Sans CJK ${language === 'ja' ? 'JP' : 'SC'}`,
  ];
}
