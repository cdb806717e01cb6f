/** Whether a call failed before it reached anybody: nothing listens at the address, or its name is not known. */
export function wasNotSent(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && (('code' in cause && ['ECONNREFUSED', 'ENOTFOUND'].includes(String(cause.code))) || wasNotSent(cause));
}
