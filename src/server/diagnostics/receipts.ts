import { getTextDirection, type Language, LANGUAGES } from '@donation-form/core/i18n';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import { createPdfRenderer, type PdfRenderer } from '../receipts/pdf/pdf-renderer.ts';
import type { ReceiptDocument } from '../receipts/receipt-document.ts';

/** Checks that receipts can be rendered as PDF in each language of the form. */
export async function checkReceiptPdf(
  organization: string,
  createRenderer = createPdfRenderer,
): Promise<CheckResult> {
  const check = createCheck(`PDF receipts for ${organization}`);
  try {
    const problems = await renderSamples(createRenderer());
    const [first] = problems.values();
    if (first === undefined)
      return check.pass('The installed fonts have the letters of every language.');
    if (problems.size === LANGUAGES.length) return check.fail(first);
    const languages = [...problems.keys()].join(', ');
    return check.warn(`Fonts are missing for receipts in these languages: ${languages}. ${first}`);
  } catch (error) {
    return check.fail((error as Error).message);
  }
}

async function renderSamples(renderer: PdfRenderer): Promise<Map<Language, string>> {
  const problems = new Map<Language, string>();
  for (const language of LANGUAGES)
    await renderer
      .render(createSample(language))
      .catch((error: unknown) => problems.set(language, (error as Error).message));
  await renderer.close();
  return problems;
}

/** Creates a receipt with the language's name and its names of months and weekdays. */
function createSample(language: Language): ReceiptDocument {
  const formatDay = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' });
  const days = Array.from({ length: 12 }, (_, month) => formatDay.format(Date.UTC(2026, month, 1)));
  return {
    language,
    direction: getTextDirection(language),
    title: new Intl.DisplayNames(language, { type: 'language' }).of(language)!,
    issuedOn: days[0]!,
    issuer: { name: '', addressLines: [], identifiers: [] },
    recipient: { name: '', addressLines: [] },
    notices: [],
    details: [],
    paragraphs: days,
    signature: '',
  };
}
