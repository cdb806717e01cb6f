/** Result of one of the checks run by `donation-form check`. */
export interface CheckResult {
  /** Name of the check, such as `platform key for lanternwell`. */
  readonly name: string;
  /**
   * `warning` if the problem may be intentional. `skipped` if the check could not run on this
   * machine.
   */
  readonly status: 'pass' | 'warning' | 'fail' | 'skipped';
  /**
   * Description of the result, without secrets. For a failure or warning, includes the cause and
   * the next step.
   */
  readonly message: string;
  /** Origin to which the payment provider sends webhooks, if known. */
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
