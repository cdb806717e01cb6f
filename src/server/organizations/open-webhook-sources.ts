import type { PlatformWebhookConfiguration, SecretName } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { loadFunction } from '../lib/load-module.ts';
import { checkSecret } from './webhook-secret.ts';
import type { OnPlatformEvent, PlatformSource } from './webhook-source.ts';

/**
 * The platforms that tell an organisation's server something, with their secrets and hooks.
 * @param secretOf reads a secret. @param at the place of the organisation in the configuration.
 * @throws {ConfigurationError} where a secret can be guessed or belongs to two platforms, or a
 *   file has no hook.
 */
export async function openPlatformWebhooks(
  webhooks: readonly PlatformWebhookConfiguration[],
  secretOf: (name: SecretName, place: string) => string,
  at: string,
): Promise<PlatformSource[]> {
  const sources = await Promise.all(
    webhooks.map(
      async ({ source, secret: name, kindPath, idPath, hook }, index): Promise<PlatformSource> => {
        const place = `platformWebhooks.${index}`;
        const secret = secretOf(name, `${place}.secret`);
        checkSecret(secret, `${at}.${place}.secret`);
        return {
          source,
          secret,
          kindPath,
          idPath,
          hook:
            hook === undefined
              ? undefined
              : await loadFunction<OnPlatformEvent>(hook, 'onPlatformEvent', {
                  at: `${at}.${place}.hook`,
                  shownIn: 'docs/platform.md',
                }),
        };
      },
    ),
  );
  if (new Set(sources.map(({ secret }) => secret)).size < sources.length)
    throw new ConfigurationError(
      `${at}.platformWebhooks: two platforms have the same secret; expected one for each, since it tells them apart`,
    );
  return sources;
}
