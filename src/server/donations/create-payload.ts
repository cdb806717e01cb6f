import type { DonationRequest, FormDefinition } from '@donation-form/core/schemas';
import { findLanguage } from '@donation-form/core/i18n';
import type { DonationPayload } from '../database/schema.ts';
import type { PaymentOption } from '../payments/payment-provider.ts';

/** Builds the payload of a validated request. */
export function createDonationPayload(
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
  const currency = definition.currencies.find(({ code }) => code === gift.currency)!;
  const getProject = (projectId: string) => {
    const { id, code, name } = definition.projects.find((project) => project.id === projectId)!;
    return { id, code, name };
  };
  const feeProjectId = gift.coveredFees > 0 ? currency.feeCover?.projectId : undefined;
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
    decimals: currency.decimals,
    projects: gift.projects.map(({ id }) => getProject(id)),
    ...(feeProjectId !== undefined && { feeProject: getProject(feeProjectId) }),
  };
}
