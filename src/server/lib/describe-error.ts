/**
 * Whether a call failed before it reached anybody: nothing listens at the address, or its name is
 * not known.
 */
export function isConnectionError(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return (
    cause instanceof Error &&
    (('code' in cause && ['ECONNREFUSED', 'ENOTFOUND'].includes(String(cause.code))) ||
      isConnectionError(cause))
  );
}

/** What is known of an error, for a log. */
export interface ErrorDescription {
  readonly error: string;
  readonly code?: string;
  readonly status?: number;
  /** What SQLite says of it. */
  readonly reason?: string;
  /** What the processor calls the request. */
  readonly processorRequest?: string;
  /** The name of the error behind it. */
  readonly cause?: string;
  /** Where in the code it was thrown. */
  readonly at?: string;
}

const MOST_FRAMES = 8;

/**
 * What may be said of an error in a log: the messages of errors that are not ours may quote what
 * they were given.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { error: typeof error };
  const {
    name,
    message,
    code,
    statusCode,
    status = statusCode,
    errstr: reason,
    requestId,
    cause,
  } = error as Error & {
    code?: unknown;
    statusCode?: unknown;
    status?: unknown;
    errstr?: unknown;
    requestId?: unknown;
  };
  const {
    error: innerName,
    at: innerAt,
    ...inner
  } = cause instanceof Error ? describeError(cause) : {};
  const isOurs = name === 'NotChargedError';
  const at = innerAt ?? framesOf(error);
  return {
    error: isOurs ? message : name,
    ...(innerName !== undefined && { cause: innerName }),
    ...inner,
    ...(isName(code) && { code }),
    ...(typeof status === 'number' && { status }),
    ...(typeof reason === 'string' && { reason }),
    ...(isName(requestId) && { processorRequest: requestId }),
    ...(at && { at }),
  };
}

/** Whether a value is a code or an id, and no words. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,60}$/.test(value);
}

/** Where an error was thrown: its stack without its message, whose lines may look like frames. */
function framesOf({ stack = '', message }: Error): string {
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .map((line) => line.trim());
  return frames
    .filter((line) => line.startsWith('at '))
    .slice(0, MOST_FRAMES)
    .join('\n');
}
