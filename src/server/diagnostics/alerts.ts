import type { AlertChannel } from '../alerts/alert-channel.ts';
import {
  createFailedResult,
  createPassedResult,
  createSkippedResult,
  type CheckResult,
} from '../lib/check-result.ts';

/** Checks that the server can send alerts, without sending any. */
export async function checkAlerts(channels: readonly AlertChannel[]): Promise<CheckResult[]> {
  if (channels.length === 0)
    return [
      createSkippedResult(
        'alerts',
        'No alerts are configured, so the server does not notify you when a donation needs review. ' +
          'To configure alerts, see docs/server/monitoring.md.',
      ),
    ];
  return Promise.all(channels.map(checkChannel));
}

async function checkChannel({ name, target, verify }: AlertChannel): Promise<CheckResult> {
  const checkName = `alerts by ${name}`;
  if (!verify)
    return createSkippedResult(
      checkName,
      `Only a test message shows whether ${target} accepts alerts. Run donation-form alerts test.`,
    );
  try {
    await verify();
    return createPassedResult(
      checkName,
      `The SMTP server accepts the sign-in for alerts to ${target}.`,
    );
  } catch (error) {
    return createFailedResult(
      checkName,
      `Cannot send alerts to ${target} (${(error as Error).message}). Check alerts.${name}.`,
    );
  }
}
