import { hostname } from 'node:os';
import type { LoadedConfiguration } from '../config/load-configuration.ts';
import type { Environment } from '../config/read-secrets.ts';
import { getPublicAdminUrl } from '../diagnostics/admin.ts';
import { createTestMessage } from './alert-message.ts';
import { createAlertChannels } from './create-alert-channels.ts';

/** Result of sending a test alert through one channel. */
export interface TestAlertResult {
  readonly channel: 'email' | 'webhook';
  /** Human-readable destination of the message, such as an email address. */
  readonly target: string;
  /** Reason why the destination did not accept the message, or `undefined` if it did. */
  readonly problem: string | undefined;
}

/**
 * Sends a test message through every configured channel.
 * @throws {ConfigurationError} if a secret is missing or invalid.
 *
 * @example
 * ```ts
 * import { loadConfiguration, sendTestAlert } from 'donation-form-server';
 *
 * const configuration = await loadConfiguration('donation-form.config.json');
 * for (const { channel, target, problem } of await sendTestAlert(configuration, process.env))
 *   console.log(`${channel} to ${target}: ${problem ?? 'sent'}`);
 * ```
 */
export function sendTestAlert(
  configuration: LoadedConfiguration,
  environment: Environment,
): Promise<TestAlertResult[]> {
  const message = createTestMessage({
    server: hostname(),
    adminUrl: getPublicAdminUrl(configuration),
    now: Date.now(),
  });
  return Promise.all(
    createAlertChannels(configuration, environment).map(async ({ name, target, send }) => ({
      channel: name,
      target,
      problem: await send(message).then(() => undefined, describeProblem),
    })),
  );
}

function describeProblem(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
