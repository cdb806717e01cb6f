import type { AlertChannel } from '../alerts/create-alert-channels.ts';
import { type CheckResult, createCheck } from '../lib/check-result.ts';

/** Checks that the server can send alerts, without sending any. */
export async function checkAlerts(channels: readonly AlertChannel[]): Promise<CheckResult[]> {
  if (channels.length === 0)
    return [
      createCheck('alerts').skip(
        'No alerts are configured, so the server does not notify you when a donation needs review. ' +
          'To configure alerts, see docs/server/monitoring.md.',
      ),
    ];
  return Promise.all(channels.map(checkChannel));
}

async function checkChannel({ name, target, verify }: AlertChannel): Promise<CheckResult> {
  const check = createCheck(`alerts by ${name}`);
  if (!verify)
    return check.skip(
      `Only a test message shows whether ${target} accepts alerts. Run donation-form alerts test.`,
    );
  try {
    await verify();
    return check.pass(`The SMTP server accepts the sign-in for alerts to ${target}.`);
  } catch (error) {
    return check.fail(
      `Cannot send alerts to ${target} (${(error as Error).message}). Check alerts.${name}.`,
    );
  }
}
