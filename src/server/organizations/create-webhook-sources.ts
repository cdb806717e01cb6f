import type { InboundWebhookConfiguration, SecretName } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { loadExportedFunction } from '../lib/load-module.ts';
import { assertWebhookSecretIsStrong } from './webhook-secret.ts';
import type { OnPlatformEvent, WebhookSource } from './webhook-source.ts';

/**
 * Creates an organization's inbound webhook sources, and loads their secrets and hooks.
 * @param readSecret function that reads the secret at a path within the organization.
 * @param at the organization's path in the configuration.
 * @throws {ConfigurationError} if a secret is weak or used twice, or if a file does not export a
 *   hook.
 */
export async function createWebhookSources(
  webhooks: readonly InboundWebhookConfiguration[],
  readSecret: (name: SecretName, place: string) => string,
  at: string,
): Promise<WebhookSource[]> {
  const sources = await Promise.all(
    webhooks.map(
      async ({ source, secret: name, kindPath, idPath, hook }, index): Promise<WebhookSource> => {
        const place = `inboundWebhooks.${index}`;
        const secret = readSecret(name, `${place}.secret`);
        assertWebhookSecretIsStrong(secret, `${at}.${place}.secret`);
        return {
          source,
          secret,
          kindPath,
          idPath,
          hook:
            hook === undefined
              ? undefined
              : await loadExportedFunction<OnPlatformEvent>(hook, 'onPlatformEvent', {
                  settingPath: `${at}.${place}.hook`,
                  docsPage: 'docs/server/platform.md',
                }),
        };
      },
    ),
  );
  if (new Set(sources.map(({ secret }) => secret)).size < sources.length)
    throw new ConfigurationError(
      `${at}.inboundWebhooks: found the same secret for two platforms, so the server could ` +
        'not tell their webhooks apart. Use a different secret for each platform',
    );
  return sources;
}
