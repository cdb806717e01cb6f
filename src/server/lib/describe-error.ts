/** These errors occur before a request is sent. Other TLS errors can also occur afterwards. */
const NOT_SENT_CODES = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
];

/** Returns true if a call failed before it reached the other server. */
export function isConnectionError(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return (
    cause instanceof Error &&
    (('code' in cause && NOT_SENT_CODES.includes(String(cause.code))) || isConnectionError(cause))
  );
}

export interface ErrorDescription {
  /** Class of the error, or the message of a `NotChargedError` or `InvalidPaymentError`. */
  readonly error: string;
  readonly code?: string;
  readonly status?: number;
  /** SQLite's message. */
  readonly reason?: string;
  /** ID from the payment provider. */
  readonly providerRequest?: string;
  readonly cause?: string;
  readonly at?: string;
}

const MAX_FRAMES = 8;

/** Omits messages from other software, which may quote donor data. */
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
  } = error as Error & Readonly<Record<string, unknown>>;
  const {
    error: innerName,
    at: innerAt,
    ...inner
  } = cause instanceof Error ? describeError(cause) : {};
  const isOurs = name === 'NotChargedError' || name === 'InvalidPaymentError';
  const at = innerAt ?? getStackFrames(error);
  return {
    error: isOurs ? message : name,
    ...(innerName !== undefined && { cause: innerName }),
    ...inner,
    ...(isIdentifier(code) && { code }),
    ...(typeof status === 'number' && { status }),
    ...(typeof reason === 'string' && { reason }),
    ...(isIdentifier(requestId) && { providerRequest: requestId }),
    ...(at && { at }),
  };
}

/** Returns true for codes and IDs, false for free text. */
function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,60}$/.test(value);
}

/** Skips the message, in which a line may look like a frame. */
function getStackFrames({ stack = '', message }: Error): string {
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .map((line) => line.trim());
  return frames
    .filter((line) => line.startsWith('at '))
    .slice(0, MAX_FRAMES)
    .join('\n');
}
