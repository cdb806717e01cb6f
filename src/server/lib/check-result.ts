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

/** Returns functions that create the results of the check with the given name. */
export function createCheck(name: string) {
  const create =
    (status: CheckResult['status']) =>
    (message: string): CheckResult => ({ name, status, message });
  return {
    pass: create('pass'),
    warn: create('warning'),
    fail: create('fail'),
    skip: create('skipped'),
  };
}
