/** Whether a call failed before it reached anybody: nothing listens at the address, or its name is not known. */
export function wasNotSent(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error && (('code' in cause && ['ECONNREFUSED', 'ENOTFOUND'].includes(String(cause.code))) || wasNotSent(cause));
}

/** What is known of an error, for a log. */
export interface AboutError {
  readonly error: string;
  readonly code?: string;
  readonly status?: number;
  /** What the processor calls the request. */
  readonly request?: string;
}

/** What may be said of an error in a log: the messages of errors that are not ours may quote what they were given. */
export function aboutError(error: unknown): AboutError {
  const { name, message, code, statusCode: status, requestId: request, cause } = error as Error & { code?: unknown; statusCode?: unknown; requestId?: unknown };
  const inner = cause instanceof Error ? aboutError(cause) : undefined, isOurs = name === 'NotChargedError';
  return {
    ...inner, error: isOurs ? message : name,
    ...(typeof code === 'string' && { code: code.slice(0, 60) }), ...(typeof status === 'number' && { status }), ...(typeof request === 'string' && { request: request.slice(0, 60) }),
  };
}
