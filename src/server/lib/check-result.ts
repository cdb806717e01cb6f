/** Result of one of the checks that `donation-form check` runs. */
export interface CheckResult {
  /** Subject of the check, such as `platform key of lanternwell`. */
  readonly name: string;
  /** `warning` if it may be intended, `skipped` if it could not be checked from here. */
  readonly status: 'pass' | 'warning' | 'fail' | 'skipped';
  /** The result. For a failure or warning, also its cause and what to do. Contains no secrets. */
  readonly message: string;
  /** Origin that the payment provider sends webhooks to, if known. */
  readonly webhookOrigin?: string;
}

export function createPassedResult(name: string, message: string): CheckResult {
  return { name, status: 'pass', message };
}

export function createWarningResult(name: string, message: string): CheckResult {
  return { name, status: 'warning', message };
}

export function createFailedResult(name: string, message: string): CheckResult {
  return { name, status: 'fail', message };
}

export function createSkippedResult(name: string, message: string): CheckResult {
  return { name, status: 'skipped', message };
}
