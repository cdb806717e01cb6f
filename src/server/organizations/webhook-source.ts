import type { InboundWebhookConfiguration } from '@donation-form/core/schemas';
import type { WebhookPayload } from '@donation-form/platform-clients/fundraising';
import { ConfigurationError } from '../lib/configuration-error.ts';
import { loadExportedFunction } from '../lib/load-module.ts';
import type { SecretReader } from '../payments/payment-provider.ts';

/** Names of the client modules for platforms that send webhooks. */
export const PLATFORMS = ['fundraising', 'donation-v1'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

/** Webhooks are unsigned, so an event only suggests a change and never proves a payment. */
export interface PlatformEvent {
  /** The same for every delivery and format. */
  readonly id: string;
  readonly organization: string;
  readonly source: PlatformName;
  /**
   * Name of the event type, such as `Gift_Added`, or the received text if the type is unknown.
   * `null` if no `kindPath` is configured.
   */
  readonly kind: string | null;
  readonly receivedAt: Date;
  /** For XML, the contents of the root element, with string values. */
  readonly payload: WebhookPayload;
  /** Body as received. */
  readonly body: string;
}

/**
 * Hook that the configured file exports as `onPlatformEvent`. The server calls the hook once per
 * event, and again if the hook throws or times out, or if the server stops during the call.
 * @param signal signal that aborts the call on timeout.
 */
export type OnPlatformEvent = (
  event: PlatformEvent,
  context: { readonly signal: AbortSignal },
) => unknown;

export interface WebhookSource extends Pick<
  InboundWebhookConfiguration,
  'source' | 'kindPath' | 'idPath'
> {
  /** Last segment of the URL's path, shared only with the platform. */
  readonly secret: string;
  readonly hook?: OnPlatformEvent | undefined;
}

/**
 * @throws {ConfigurationError} if a secret is weak or used twice, or if a file does not export a
 *   hook.
 */
export async function createWebhookSources(
  webhooks: readonly InboundWebhookConfiguration[],
  readSecret: SecretReader,
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

const MIN_BITS = 128;
const MAX_CHARACTERS = 200;
const MIN_DISTINCT_CHARACTERS = 8;

/** Character classes and their sizes. Hexadecimal secrets use no letters but `a` to `f`. */
const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/[0-9]/, 10],
  [/[a-f]/, 6],
  [/[g-z]/, 20],
  [/[A-F]/, 6],
  [/[G-Z]/, 20],
  [/[-_]/, 2],
];

/**
 * Rejects secrets that are too short for their character classes or have too few distinct
 * characters, because randomness cannot be measured.
 * @throws {ConfigurationError} if the secret is weak or invalid. The message does not reveal it.
 */
export function assertWebhookSecretIsStrong(secret: string, place: string): void {
  const alphabetSize = ALPHABETS.reduce(
    (sum, [kind, count]) => sum + (kind.test(secret) ? count : 0),
    0,
  );
  if (
    /^[\w-]+$/.test(secret) &&
    secret.length <= MAX_CHARACTERS &&
    secret.length * Math.log2(alphabetSize) >= MIN_BITS &&
    new Set(secret).size >= MIN_DISTINCT_CHARACTERS
  )
    return;
  throw new ConfigurationError(
    `${place}: found a weak secret of ${secret.length} characters; expected at least ` +
      `${MIN_BITS} random bits in at most ${MAX_CHARACTERS} characters from A-Z, a-z, 0-9, -, and _. ` +
      'Generate one with: openssl rand -hex 32',
  );
}
