import { createOrganizationAt } from '../config/create-organizations.ts';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import { type Environment, readSecret } from '../config/read-secrets.ts';
import { buildForms } from '../config/validate-configuration.ts';
import { openSqlite } from '../database/sqlite-database.ts';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import { getErrorReason } from '../lib/get-error-reason.ts';
import type { Organization } from '../organizations/organization.ts';
import type { PaymentCheckSubject, PaymentGateway } from '../payments/payment-gateway.ts';
import { ApiQuota } from '../platform/api-quota.ts';
import { checkMail } from './mail.ts';
import { checkPlatform } from './platform.ts';
import { checkReceiptPdf } from './receipts.ts';

/** @throws {ConfigurationError} if a secret is missing or invalid. */
export async function checkServices(
  configuration: LoadedConfiguration,
  index: number,
  environment: Environment,
) {
  const { id, platform, mail, receipts } = configuration.organizations[index]!;
  // Use a temporary database, so these calls do not count toward the servers' shared quota.
  const database = await openSqlite(':memory:');
  try {
    const organization = await createOrganizationAt(configuration, index, {
      forms: buildForms(configuration),
      environment,
      createQuota: ({ apiCallsPerHour: limit }) =>
        new ApiQuota({ database, organization: id, limit, now: Date.now }),
    });
    const results = await Promise.all([
      platform.adapter === 'none'
        ? [
            createCheck(`platform for ${id}`).pass(
              'No platform is configured. The database is the system of record.',
            ),
          ]
        : checkPlatform({
            organization,
            adapter: platform.adapter,
            baseUrl: platform.baseUrl,
            apiKey: readSecret(platform.apiKey, 'platform.apiKey', environment),
          }),
      checkPayments(organization),
      checkMail({
        ...organization,
        configuration: mail,
        dkimKey:
          mail?.dkim && readSecret(mail.dkim.privateKey, 'mail.dkim.privateKey', environment),
      }),
      receipts?.pdf ? checkReceiptPdf(id) : [],
    ]);
    return { organization, results: results.flat() };
  } finally {
    await database.close();
  }
}

async function checkPayments({
  id,
  payments,
  origins,
  forms,
}: Organization): Promise<CheckResult[]> {
  const minimums = forms.flatMap(({ en: { definition } }) =>
    definition.currencies.map(({ code, minimum }) => ({
      form: definition.id,
      currency: code,
      minimum,
    })),
  );
  const subject = { origins: [...origins], minimums };
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
    return [createCheck(name).pass('Offline payments require no payment provider.')];
  if (!gateway.runChecks)
    return [createCheck(name).skip('This payment gateway provides no checks.')];
  try {
    const results = await gateway.runChecks({
      ...subject,
      webhookPath: `/webhooks/${provider}/${organization}`,
    });
    return results.map((result) => ({ ...result, name: `${result.name} for ${organization}` }));
  } catch (error) {
    return [
      createCheck(name).fail(
        `The payment provider does not respond (${getErrorReason(error)}). Check the provider's ` +
          "key and URL, and this machine's network.",
      ),
    ];
  }
}
