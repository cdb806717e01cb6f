import { html } from 'hono/html';
import type { ReceiptFileRow } from '../database/schema.ts';
import type { ReceiptDocument } from './receipt-document.ts';

export type RenderedDocument = Pick<ReceiptFileRow, 'mediaType' | 'content'>;
export type DocumentRenderer = (document: ReceiptDocument) => Promise<RenderedDocument>;

const STYLES = `body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto }
table { width: 100%; border-collapse: collapse }
th, td { padding: 0.25rem 0; text-align: start } :is(th, td):last-child { text-align: end }`;

/** Renders a document as HTML. */
export const renderDocument: DocumentRenderer = async (document) => {
  const { issuer, recipient, table } = document;
  const lines = (texts: readonly string[]) => texts.map((text) => html`${text}<br>`);
  const cells = (texts: readonly string[]) => texts.map((text) => html`<td>${text}</td>`);
  const page = await html`<!doctype html>
<html lang="${document.language}" dir="${document.direction}">
<meta charset="utf-8">
<title>${document.title}</title>
<style>${STYLES}</style>
<p>${lines([issuer.name, ...issuer.addressLines])}</p>
<p>${lines([recipient.name, ...recipient.addressLines])}</p>
${document.notices.map((notice) => html`<p><strong>${notice}</strong></p>`)}
<h1>${document.title}</h1>
<p>${document.issuedOn}</p>
<dl>${document.details.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
${
  table
    ? html`<table><thead><tr>${table.columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${table.rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody>
<tfoot>${table.totals.map((row) => html`<tr>${cells(row)}</tr>`)}</tfoot></table>`
    : ''
}
${document.paragraphs.map((text) => html`<p>${text}</p>`)}
<p>${lines(document.signature.split('\n'))}</p>
</html>`;
  return { mediaType: 'text/html', content: new TextEncoder().encode(String(page)) };
};
