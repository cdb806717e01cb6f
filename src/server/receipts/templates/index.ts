import type { ReceiptTemplateName } from '@donation-form/core/schemas';
import { neutral } from './neutral.ts';
import type { ReceiptTemplate } from './receipt-template.ts';
import { us } from './us.ts';

const TEMPLATES: Readonly<Partial<Record<ReceiptTemplateName, ReceiptTemplate>>> = { neutral, us };

/** @throws {Error} if this release does not have the template. */
export function getReceiptTemplate(name: ReceiptTemplateName): ReceiptTemplate {
  const template = TEMPLATES[name];
  if (!template) throw new Error(`this release has no receipt template ${name}`);
  return template;
}

/** Versions of all templates whose receipts keep the donor's name and address. */
export const TAX_TEMPLATE_VERSIONS: readonly string[] = Object.values(TEMPLATES)
  .filter(({ isTaxReceipt }) => isTaxReceipt)
  .map(({ version }) => version);
