import { html, raw } from 'hono/html';
import type { ReceiptFileRow } from '../database/schema.ts';
import type { ReceiptDocument } from './receipt-document.ts';

export type RenderedReceipt = Pick<ReceiptFileRow, 'mediaType' | 'content'>;

/** Black on white even in dark mode, as on paper. Fits A4 and US Letter. */
const STYLES = `@page { margin: 20mm }
:root { color-scheme: light }
body { max-width: 170mm; margin: 0 auto; padding: 24px; background: #fff; color: #1c2426; font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere }
header { margin-block-end: 40px; color: #4d585c; font-size: 13px }
header strong { color: #1c2426; font-size: 17px }
p { margin: 0 0 12px }
h1 { margin: 0 0 8px; font-size: 30px; line-height: 1.25 }
.number { color: #4d585c }
.notice { margin-block-start: 16px; padding: 12px 16px; border: 1px solid #c98a12; border-radius: 4px; background: #fff6df; color: #5c3b00; font-weight: 700 }
.recipient { margin-block: 24px }
.recipient bdi:first-child { font-weight: 700 }
.signature { margin-block-start: 24px }
table { width: 100%; border-collapse: collapse; margin-block: 24px }
th, td { padding: 8px 0; border-block-start: 1px solid #c6cfd1; text-align: start; vertical-align: top }
th { padding-inline-end: 16px; font-weight: 400; color: #4d585c }
tfoot td { font-weight: 700 }
@media print { body { max-width: none; padding: 0; font-size: 11pt } tr, p { break-inside: avoid } }`;

const renderLines = (lines: readonly string[]) =>
  lines.map((line, index) => [index > 0 ? html`<br>` : '', html`<bdi>${line}</bdi>`]);

/** Renders a self-contained document that loads and runs nothing. */
export async function renderReceiptHtml(document: ReceiptDocument): Promise<RenderedReceipt> {
  const text = `${String(await renderDocument(document))}\n`;
  return { mediaType: 'text/html', content: new TextEncoder().encode(text) };
}

function renderDocument({
  language,
  direction,
  title,
  number = '',
  issuedOn,
  issuer,
  recipient,
  notices,
  details,
  table,
  paragraphs,
  signature,
}: ReceiptDocument) {
  const identifiers = issuer.identifiers.map(([label, value]) => `${label}: ${value}`);
  return html`<!doctype html>
<html lang="${language}" dir="${direction}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title} ${number}</title>
<style>${raw(STYLES)}</style>
<header><strong><bdi>${issuer.name}</bdi></strong><br>${renderLines([...issuer.addressLines, ...identifiers])}</header>
<main>
<h1>${title}</h1>
<p class="number">${renderLines([number, issuedOn].filter((line) => line !== ''))}</p>
${notices.map((notice) => html`<p class="notice">${notice}</p>`)}
<div class="recipient">${renderLines([recipient.name, ...recipient.addressLines].filter((line) => line !== ''))}</div>
<table>
${details.map(([label, value]) => html`<tr><th scope="row">${label.replace(/[:：]$/, '')}</th><td><bdi>${value}</bdi></td></tr>`)}
</table>
${table === undefined ? '' : renderTable(table)}
${paragraphs.map((paragraph) => html`<p>${renderLines(paragraph.split('\n'))}</p>`)}
<p class="signature">${renderLines(signature.split('\n'))}</p>
</main>
</html>`;
}

function renderTable({ columns, rows, totals }: NonNullable<ReceiptDocument['table']>) {
  const renderRow = (cells: readonly string[]) =>
    html`<tr>${cells.map((cell) => html`<td><bdi>${cell}</bdi></td>`)}</tr>`;
  return html`<table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(renderRow)}</tbody>
<tfoot>${totals.map(renderRow)}</tfoot>
</table>`;
}
