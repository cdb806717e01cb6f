import {
  createFailedResult,
  createPassedResult,
  createSkippedResult,
  type CheckResult,
} from '../lib/check-result.ts';
import type { LocalizedForm, Organization } from '../organizations/organization.ts';
import type { PaymentCheckSubject, PaymentGateway } from '../payments/payment-gateway.ts';
import { getErrorReason } from '../lib/get-error-reason.ts';

/** Checks that each of an organization's payment providers can accept donations. */
export async function checkPayments({
  id,
  payments,
  origins,
  forms,
}: Organization): Promise<CheckResult[]> {
  const subject = { origins: [...origins], minimums: forms.flatMap(listMinimums) };
  const results = await Promise.all(
    [...payments].map(([provider, { gateway }]) => checkProvider(id, provider, gateway, subject)),
  );
  return results.flat();
}

async function checkProvider(
  organization: string,
  provider: string,
  gateway: PaymentGateway,
  subject: Omit<PaymentCheckSubject, 'webhookPath'>,
): Promise<CheckResult[]> {
  const name = `${provider} for ${organization}`;
  if (provider === 'offline')
    return [createPassedResult(name, 'Offline payments require no payment provider.')];
  if (!gateway.runChecks)
    return [createSkippedResult(name, 'This payment gateway provides no checks.')];
  try {
    const results = await gateway.runChecks({
      ...subject,
      webhookPath: `/webhooks/${provider}/${organization}`,
    });
    return results.map((result) => ({ ...result, name: `${result.name} for ${organization}` }));
  } catch (error) {
    return [
      createFailedResult(
        name,
        `The payment provider does not respond (${getErrorReason(error)}). Check the provider's ` +
          "key and URL, and this machine's network.",
      ),
    ];
  }
}

function listMinimums(form: LocalizedForm): PaymentCheckSubject['minimums'] {
  const { id, currencies } = form.en.definition;
  return currencies.map(({ code, minimum }) => ({ form: id, currency: code, minimum }));
}
