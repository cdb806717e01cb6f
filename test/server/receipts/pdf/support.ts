import { spawnSync } from 'node:child_process';
import { after } from 'node:test';
import { createPdfRenderer } from '../../../../src/server/receipts/pdf/pdf-renderer.ts';
import type { ReceiptDocument } from '../../../../src/server/receipts/receipt-document.ts';

export const RECEIPT: ReceiptDocument = {
  language: 'en',
  direction: 'ltr',
  title: 'Donation receipt',
  number: 'WEB-2026-000123',
  issuedOn: 'November 30, 2026',
  issuer: {
    name: 'Lanternwell',
    addressLines: ['1 Harbor Street', 'Portland, ME 04101'],
    identifiers: [['EIN', '12-3456789']],
  },
  recipient: { name: 'Ana Donor', addressLines: ['12 Elm Street', 'Springfield, IL 62701'] },
  notices: ['This is a test. No money was received.'],
  details: [
    ['Date of donation', 'November 28, 2026'],
    ['Amount', '$250.00'],
  ],
  paragraphs: ['No goods or services were provided in exchange for this contribution.'],
  signature: 'With thanks\nYour team at Lanternwell',
};

/** Creates a renderer that is closed after the test. */
export function createTestRenderer() {
  const renderer = createPdfRenderer();
  after(() => renderer.close());
  return renderer;
}

/** Runs one of the programs of Debian's `poppler-utils`. */
function runPoppler(program: string, args: readonly string[], pdf: Uint8Array): string {
  const { stdout, stderr, status } = spawnSync(program, args, { input: pdf, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  return stdout;
}

/** Returns the text of a PDF, without the marks that pdftotext adds to right-to-left text. */
export function readText(pdf: Uint8Array): string {
  return runPoppler('pdftotext', ['-layout', '-', '-'], pdf).replace(
    /[\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    '',
  );
}

/** Returns the text of a PDF without white space. */
export function readLetters(pdf: Uint8Array): string {
  return readText(pdf).replace(/\s/g, '');
}

/** @param option such as `-meta` for the XMP metadata. */
export function readInfo(pdf: Uint8Array, ...options: readonly string[]): string {
  return runPoppler('pdfinfo', [...options, '-'], pdf);
}
