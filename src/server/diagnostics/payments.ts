import { fail, pass, skip, type CheckResult } from '../lib/check-result.ts';
import type { Organization } from '../organizations/organization.ts';
import type { PaymentGateway } from '../payments/payment-gateway.ts';
import { getErrorReason } from './get-error-reason.ts';

/** Checks whether each payment provider of an organization would accept donations. */
export async function checkPayments({ id, payments }: Organization): Promise<CheckResult[]> {
  const results = await Promise.all(
    [...payments].map(([provider, { gateway }]) => checkProvider(id, provider, gateway)),
  );
  return results.flat();
}

async function checkProvider(
  organization: string,
  provider: string,
  gateway: PaymentGateway,
): Promise<CheckResult[]> {
  const name = `${provider} of ${organization}`;
  if (provider === 'offline') return [pass(name, 'Pledges need no payment provider.')];
  if (!gateway.check) return [skip(name, 'Its payment gateway has no check.')];
  try {
    const results = await gateway.check({ webhookPath: `/webhooks/${provider}/${organization}` });
    return results.map((result) => ({ ...result, name: `${result.name} of ${organization}` }));
  } catch (error) {
    return [
      fail(
        name,
        `The payment provider does not answer (${getErrorReason(error)}). Check its key, its ` +
          'baseUrl, and the network of this machine.',
      ),
    ];
  }
}
