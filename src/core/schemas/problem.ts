import { z } from 'zod';

/** What can be wrong with a request, as stable codes, each with its HTTP status. */
export const PROBLEMS = {
  'malformed-json': 400,
  'webhook-not-signed': 400,
  'webhook-unreadable': 400,
  'unknown-field': 400,
  'invalid-field': 400,
  'idempotency-key-missing': 400,
  'idempotency-key-weak': 400,
  'origin-not-allowed': 403,
  'challenge-required': 403,
  'not-found': 404,
  'form-unknown': 404,
  'donation-unknown': 404,
  'method-not-allowed': 405,
  'definition-changed': 409,
  'body-too-large': 413,
  'content-type-unsupported': 415,
  'idempotency-key-reused': 422,
  'total-mismatch': 422,
  'currency-not-offered': 422,
  'frequency-not-offered': 422,
  'project-not-offered': 422,
  'costs-not-offered': 422,
  'payment-not-offered': 422,
  'donor-field-not-offered': 422,
  'comment-not-offered': 422,
  'custom-field-not-offered': 422,
  'custom-field-invalid': 422,
  'donor-field-required': 422,
  'amount-too-small': 422,
  'amount-too-large': 422,
  'split-not-offered': 422,
  'tribute-not-offered': 422,
  'anonymity-not-offered': 422,
  'organization-not-offered': 422,
  'card-number-found': 422,
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

/**
 * The body of every answer that is neither 2xx nor an Outcome: RFC 9457,
 * `application/problem+json`.
 */
export const problemDetails = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string().describe('what was found, what was expected, what to do'),
  requestId: z.string(),
});
export type ProblemDetails = z.infer<typeof problemDetails>;
