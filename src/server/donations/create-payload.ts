import type { DonationRequest, FormDefinition } from '@donation-form/core/schemas';
import { findLanguage } from '@donation-form/core/i18n';
import type { DonationPayload } from '../database/schema.ts';
import type { PaymentOption } from '../organizations/organization.ts';

/**
 * Builds the payload to store for a donation.
 * @param request a request that was validated against the definition.
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
    receiptSender: definition.receiptSender,
    isTest: definition.isTest,
    instructions: instructions?.[findLanguage(form.language) ?? 'en'],
    decimals: definition.currencies.find(({ code }) => code === gift.currency)!.decimals,
    projects: gift.projects.map((part) => {
      const { id, code, name } = definition.projects.find((project) => project.id === part.id)!;
      return { id, code, name };
    }),
  };
}
