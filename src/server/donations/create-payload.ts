import type { DonationRequest, FormDefinition } from '@donation-form/core/schemas';
import { languageOf } from '@donation-form/core/i18n';
import type { DonationPayload } from '../database/schema.ts';
import type { PaymentOption } from '../organizations/organization.ts';

/**
 * What is stored of a donation.
 * @param request one that the definition allows.
 */
export function createPayload(
  {
    gift,
    donor,
    customFields,
    consents,
    tracking,
    form,
    payment: { provider, method },
  }: DonationRequest,
  definition: FormDefinition,
  { providerType, instructions }: PaymentOption,
): DonationPayload {
  return {
    gift,
    donor,
    customFields,
    consents,
    tracking,
    form,
    payment: { provider, method, providerType },
    organization: definition.organization.name,
    receipts: definition.receipts,
    isTest: definition.isTest,
    instructions: instructions?.[languageOf(form.language) ?? 'en'],
    decimals: definition.currencies.find(({ code }) => code === gift.currency)!.decimals,
    projects: gift.projects.map((part) => {
      const { id, code, name } = definition.projects.find((project) => project.id === part.id)!;
      return { id, code, name };
    }),
  };
}
