import type { ReceiptTemplateName } from '@donation-form/core/schemas';
import { neutral } from './neutral.ts';
import type { ReceiptTemplate } from './receipt-template.ts';
import { uk } from './uk.ts';
import { us } from './us.ts';

const TEMPLATES: Readonly<Record<ReceiptTemplateName, ReceiptTemplate>> = { neutral, us, uk };

export function getReceiptTemplate(name: ReceiptTemplateName): ReceiptTemplate {
  return TEMPLATES[name];
}
