import { createAlertChannels } from '../alerts/create-alert-channels.ts';
import { listSecrets } from '../config/list-secrets.ts';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import { type Environment, readAdminKey, readSecret } from '../config/read-secrets.ts';
import type { CheckResult } from '../lib/check-result.ts';
import type { ConfiguredSecret } from '../payments/payment-provider.ts';
import { checkAlerts } from './alerts.ts';
import { checkServices } from './services.ts';

/** Minimum number of distinct characters in a strong secret. */
const MIN_DISTINCT_CHARACTERS = 8;

interface ReadSecret extends ConfiguredSecret {
  readonly value: string | undefined;
  readonly problem?: string;
}

/**
 * Checks that each secret in a configuration is set, is of the right kind and mode, is strong, and
 * is used only once, and that the corresponding service accepts the secret. The results contain no
 * secrets.
 *
 * @example
 * ```ts
 * import { loadConfiguration, runKeyChecks } from 'donation-form-server';
 *
 * const configuration = await loadConfiguration('donation-form.config.json');
 * for (const { name, status, message } of await runKeyChecks(configuration, process.env))
 *   if (status !== 'pass') console.error(`${name}: ${message}`);
 * ```
 */
export async function runKeyChecks(
  configuration: LoadedConfiguration,
  environment: Environment,
): Promise<CheckResult[]> {
  const secrets = listSecrets(configuration).map((secret) =>
    validateSecret(secret, configuration, environment),
  );
  const acceptance = new Map(
    (await checkAcceptance(configuration, environment)).map((result) => [result.name, result]),
  );
  return secrets.map((secret) =>
    describeSecret(secret, secrets, acceptance.get(secret.acceptedBy ?? '')),
  );
}

function validateSecret(
  secret: ConfiguredSecret,
  configuration: LoadedConfiguration,
  environment: Environment,
): ReadSecret {
  let value: string | undefined;
  try {
    value = readSecret(secret.name, secret.place, environment);
    secret.assertValid?.(value);
    if (secret.place === 'admin.key') readAdminKey(configuration, environment);
    return { ...secret, value };
  } catch (error) {
    return { ...secret, value, problem: (error as Error).message };
  }
}

/** Checks that platforms, payment providers, and the SMTP server accept the secrets. */
async function checkAcceptance(
  configuration: LoadedConfiguration,
  environment: Environment,
): Promise<CheckResult[]> {
  const results = await Promise.allSettled([
    ...configuration.organizations.map(async (_organization, index) => {
      const { results: checked } = await checkServices(configuration, index, environment);
      return checked;
    }),
    (async () => checkAlerts(createAlertChannels(configuration, environment)))(),
  ]);
  // Ignore errors here, because the check of each secret reports missing and invalid values.
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

function describeSecret(
  { place, name, purpose, value, problem, getMode }: ReadSecret,
  secrets: readonly ReadSecret[],
  accepted: CheckResult | undefined,
): CheckResult {
  const source = 'env' in name ? `the ${name.env} environment variable` : name.file;
  if (problem !== undefined)
    return { name: place, status: 'fail', message: problem.replace(`${place}: `, '') };
  const others = secrets.filter((other) => other.place !== place && other.value === value);
  const warnings = [
    ...(new Set(value).size < MIN_DISTINCT_CHARACTERS
      ? ['The secret has too few different characters, so it is easy to guess. Replace the secret.']
      : []),
    ...(others.length > 0
      ? [
          `Other secrets have the same value: ${others.map((other) => other.place).join(', ')}. ` +
            'Use a different value for each secret.',
        ]
      : []),
  ];
  const mode = getMode?.(value!);
  const facts = `From ${source}${mode === undefined ? '' : `, in ${mode} mode`}; ${purpose}.`;
  return {
    name: place,
    status:
      accepted?.status !== 'fail' && warnings.length > 0 ? 'warning' : (accepted?.status ?? 'pass'),
    message: [facts, ...(accepted ? [accepted.message] : []), ...warnings].join('\n'),
  };
}
