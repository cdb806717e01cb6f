/**
 * Returns the system's code for a failed connection, such as `ECONNREFUSED`. For other errors,
 * returns the message of the innermost error. Stripe's errors have their cause in `detail`.
 */
export function getErrorReason(error: unknown): string {
  const {
    message,
    code,
    detail,
    cause = detail,
  } = error as Error & { code?: unknown; detail?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return cause instanceof Error ? getErrorReason(cause) : message;
}
