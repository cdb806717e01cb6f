/**
 * Returns the first code in the chain of causes, such as `ECONNREFUSED`, or else the innermost
 * message. Stripe's errors have their cause in `detail`.
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
