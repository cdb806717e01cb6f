/** Stable problem codes and their HTTP status codes. */
export const PROBLEMS = {
  'malformed-json': 400,
  'invalid-signature': 400,
  'invalid-payload': 400,
  'unknown-field': 400,
  'invalid-field': 400,
  'idempotency-key-missing': 400,
  'idempotency-key-invalid': 400,
  unauthorized: 401,
  'origin-not-allowed': 403,
  'challenge-required': 403,
  'not-found': 404,
  'form-not-found': 404,
  'donation-not-found': 404,
  'method-not-allowed': 405,
  'form-outdated': 409,
  'payload-too-large': 413,
  'content-type-unsupported': 415,
  'idempotency-key-reused': 422,
  'total-mismatch': 422,
  'currency-not-allowed': 422,
  'frequency-not-allowed': 422,
  'project-not-allowed': 422,
  'fee-cover-not-allowed': 422,
  'payment-method-not-available': 422,
  'donor-field-not-allowed': 422,
  'comment-not-allowed': 422,
  'custom-field-not-allowed': 422,
  'custom-field-invalid': 422,
  'donor-field-required': 422,
  'amount-too-small': 422,
  'amount-too-large': 422,
  'split-not-allowed': 422,
  'tribute-not-allowed': 422,
  'anonymity-not-allowed': 422,
  'organization-not-allowed': 422,
  'gift-aid-not-allowed': 422,
  'gift-aid-mismatch': 422,
  'card-number-detected': 422,
  'return-url-not-allowed': 422,
  'consent-mismatch': 422,
  'consent-required': 422,
  'custom-field-required': 422,
  'too-many-requests': 429,
  'internal-error': 500,
  unavailable: 503,
  paused: 503,
} as const;
export type ProblemCode = keyof typeof PROBLEMS;

/** Body of error responses (RFC 9457, `application/problem+json`), except a `DonationOutcome`. */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  requestId: string;
}
