import type { Organization } from '../organizations/organization.ts';
import { ok, reasonOf, untried, wrong, type Finding } from '../lib/finding.ts';

/** Asks each payment provider of an organisation whether it would take gifts. */
export async function checkPayments({ id, payments }: Organization): Promise<Finding[]> {
  const findings = await Promise.all(
    [...payments].map(async ([provider, { gateway }]): Promise<readonly Finding[]> => {
      const about = `${provider} of ${id}`;
      if (provider === 'offline') return [ok(about, 'promises; there is nothing to reach')];
      if (!gateway.check) return [untried(about, 'its gateway has no check')];
      try {
        return (await gateway.check({ webhookPath: `/webhooks/${provider}/${id}` })).map(
          (finding) => ({ ...finding, about: `${finding.about} of ${id}` }),
        );
      } catch (error) {
        return [
          wrong(
            about,
            `it does not answer (${reasonOf(error)}); check its key, its baseUrl, and whether this machine may reach it`,
          ),
        ];
      }
    }),
  );
  return findings.flat();
}
