import type { ReceiptTemplateName } from '@donation-form/core/schemas';
import { neutral } from './neutral.ts';
import type { ReceiptTemplate } from './receipt-template.ts';
import { uk } from './uk.ts';
import { us } from './us.ts';

const TEMPLATES: Readonly<Record<ReceiptTemplateName, ReceiptTemplate>> = { neutral, us, uk };

export function getReceiptTemplate(name: ReceiptTemplateName): ReceiptTemplate {
  return TEMPLATES[name];
}

/**
 * Returns true if the law may require the organization to keep the donor's name and address.
 * @param version of the receipt's template, which can be of another release.
 */
export function isTaxReceipt({ template }: { readonly template: string | null }): boolean {
  const name = template?.split('@')[0];
  return (
    name !== undefined &&
    (TEMPLATES as Readonly<Record<string, ReceiptTemplate>>)[name]?.isTaxReceipt !== false
  );
}
