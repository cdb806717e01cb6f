/** Such as `ECONNREFUSED`, or the innermost message. Stripe's errors have a cause in `detail`. */
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
