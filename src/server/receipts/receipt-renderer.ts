import type { ReceiptConfiguration } from '@donation-form/core/schemas';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import type { Organization } from '../organizations/organization.ts';
import { createPdfRenderer, type PdfRenderer } from './pdf/pdf-renderer.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { type RenderedReceipt, renderReceiptHtml } from './render-receipt.ts';

/** Renders receipts and statements in the format that the organization chose. */
export class ReceiptRenderer {
  readonly #log: Logger;
  #pdfRenderer: PdfRenderer | undefined;
  #isClosed = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @throws {ConfigurationError} if an organization wants PDFs, but the compiler is not installed. */
  prepare(organizations: readonly Pick<Organization, 'receipts'>[]): void {
    if (organizations.some(({ receipts }) => receipts?.pdf))
      this.#pdfRenderer ??= createPdfRenderer();
  }

  /** Renders HTML instead of a PDF that cannot be rendered, such as without a font. */
  async render(
    document: ReceiptDocument,
    settings: Pick<ReceiptConfiguration, 'pdf'> | undefined,
  ): Promise<RenderedReceipt> {
    if (!settings?.pdf) return renderReceiptHtml(document);
    try {
      this.#pdfRenderer ??= createPdfRenderer();
      return {
        mediaType: 'application/pdf',
        content: await this.#pdfRenderer.render(document),
      };
    } catch (error) {
      if (this.#isClosed) throw error;
      const details = { receipt: document.number, ...describeError(error) };
      this.#log.error(details, 'cannot render a receipt as PDF; sends HTML instead');
      return renderReceiptHtml(document);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pdfRenderer?.close();
  }
}
