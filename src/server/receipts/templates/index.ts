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

/**
 * Returns true if the law may require the organization to keep the donor's name and address.
 * @param version of the receipt's template, which can be of another release.
 */
export function isTaxReceipt({ template }: { readonly template: string | null }): boolean {
  const name = template?.split('@')[0];
  return name !== undefined && TEMPLATES[name as ReceiptTemplateName]?.isTaxReceipt !== false;
}
