import { randomBytes } from 'node:crypto';

/** The part of a request that caused an error. */
export interface ErrorField {
  /** JSON pointer to a field, or name of a parameter. */
  readonly field?: string;
  readonly value?: string;
  readonly location?: 'body' | 'path' | 'query';
}

export interface ErrorDetail extends ErrorField {
  readonly issue: string;
  readonly description?: string;
}

export interface ErrorLink {
  readonly href: string;
  readonly rel: string;
  readonly method?: 'GET' | 'POST';
}

/** Error names and messages by status code, from the OpenAPI files. */
const ERRORS = {
  400: [
    'INVALID_REQUEST',
    'Request is not well-formed, syntactically incorrect, or violates schema.',
  ],
  401: [
    'AUTHENTICATION_FAILURE',
    'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  ],
  403: ['NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.'],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  409: ['RESOURCE_CONFLICT', 'The server has detected a conflict while processing this request.'],
  422: [
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  429: ['RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.'],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error occurred.'],
  503: ['SERVICE_UNAVAILABLE', 'Service Unavailable.'],
} as const;

export type ErrorStatus = keyof typeof ERRORS;

/** Default descriptions of issues, keyed by issue name. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE:
    'The capture amount can not be greater than the current outstanding balance.',
  AMOUNT_MISMATCH:
    'Should equal item_total + tax_total + shipping + handling + insurance - shipping_discount - discount.',
  CANNOT_BE_ZERO_OR_NEGATIVE:
    'Must be greater than zero. If the currency supports decimals, only two decimal place precision is supported.',
  CAPTURE_FULLY_REFUNDED: 'The capture has already been fully refunded',
  CURRENCY_NOT_SUPPORTED_FOR_RECEIVER:
    'This currency cannot be accepted for this recipient’s account.',
  DECIMALS_NOT_SUPPORTED: 'Currency does not support decimals.',
  DECIMAL_PRECISION:
    'If the currency supports decimals, only two decimal place precision is supported.',
  DUPLICATE_INVOICE_ID:
    'Duplicate Invoice ID detected. To avoid a potential duplicate transaction your account ' +
    'setting requires that Invoice Id be unique for each transaction.',
  DUPLICATE_RESOURCE_IDENTIFIER: 'Identifier must be unique.',
  INSTRUMENT_DECLINED:
    "The instrument presented  was either declined by the processor or bank, or it can't be used for this payment.",
  INVALID_ARRAY_MAX_ITEMS: 'The number of items in an array parameter is too large.',
  INVALID_ARRAY_MIN_ITEMS: 'The number of items in an array parameter is too small.',
  INVALID_BILLING_CYCLE_SEQUENCE:
    'Billing cycle sequence should start with `1` and be consecutive.',
  INVALID_CURRENCY_CODE:
    'Currency code is invalid or is not currently supported. Please refer ' +
    'https://developer.paypal.com/api/rest/reference/currency-codes/ for list of supported ' +
    'currency codes.',
  INVALID_INTEGER_MAX_VALUE: 'The integer value of a field is too large.',
  INVALID_INTEGER_MIN_VALUE: 'The integer value of a field is too small.',
  INVALID_PARAMETER_SYNTAX: 'The value of a field does not conform to the expected format.',
  INVALID_RESOURCE_ID:
    'Specified resource ID does not exist. Please check the resource ID and try again.',
  INVALID_STRING_LENGTH: 'The value of a field is either too short or too long',
  INVALID_STRING_MAX_LENGTH: 'The value of a field is too long.',
  INVALID_STRING_MIN_LENGTH: 'The value of a field is too short.',
  MALFORMED_REQUEST_JSON: 'The request JSON is not well formed.',
  MAX_VALUE_EXCEEDED: 'Should be less than or equal to 999999999999999.99.',
  MISSING_REGULAR_BILLING_CYCLE: 'Plan should have at least one regular billing cycle.',
  MULTIPLE_REGULAR_BILLING_CYCLES_NOT_SUPPORTED: 'Only one regular billing cycle is allowed.',
  MULTI_CURRENCY_ORDER:
    'Multiple differing values of currency_code are not supported. Entire Order request ' +
    'must have the same currency_code.',
  ORDER_ALREADY_CAPTURED:
    "Order already captured.If 'intent=CAPTURE' only one capture per order is allowed.",
  ORDER_NOT_APPROVED:
    'Payer has not yet approved the Order for payment. Please redirect the payer to the ' +
    "'rel':'approve' url returned as part of the HATEOAS links within the Create Order call " +
    'or provide a valid `payment_source` in the request.',
  PARTIAL_REFUND_NOT_ALLOWED: 'You cannot do a refund less than the original capture amount.',
  PAYER_ACCOUNT_RESTRICTED: 'PAYER_ACCOUNT_RESTRICTED',
  PAYER_CANNOT_PAY:
    'Payer cannot pay for this transaction. Please contact the payer to find other ways to pay for this transaction.',
  PAYMENT_SOURCE_CANNOT_BE_USED:
    'The provided payment source cannot be used to pay for the order. Please try again with ' +
    'a different payment source by creating a new order.',
  PAYPAL_REQUEST_ID_REQUIRED:
    'A PayPal-Request-Id is required if you are trying to process payment for an Order. ' +
    "Please specify a PayPal-Request-Id or Create the Order without a 'payment_source' " +
    'specified.',
  PENDING_CAPTURE:
    'Cannot initiate a refund as the capture is pending. Capture is typically pending when ' +
    'the payer has funded the transaction using e-check/bank funded.',
  PREVIOUS_REQUEST_IN_PROGRESS:
    'A previous request on this resource is currently in progress. Please wait for sometime ' +
    'and try again. It is best to space out the initial and the subsequent request(s) to ' +
    'avoid receiving this error.',
  REFUND_AMOUNT_EXCEEDED:
    'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
  REFUND_CAPTURE_CURRENCY_MISMATCH: 'Refund must be in the same currency as the capture',
  REFUND_NOT_ALLOWED: 'Capture cannot be refunded.',
  TRANSACTION_DISPUTED:
    'Partial refunds cannot be offered at this time because there is an open case on this ' +
    'transaction. Visit the PayPal Resolution Center to review this case.',
  TRANSACTION_REFUSED: 'The request was refused.',
  WEBHOOK_NUMBER_LIMIT_EXCEEDED: 'Webhook number limit exceeded.',
  WEBHOOK_URL_ALREADY_EXISTS: 'Webhook URL already exists.',
  WEBHOOK_URL_INVALID: 'Not a valid webhook URL.',
  ZERO_OUTSTANDING_BALANCE: 'Current outstanding balance should be greater than zero.',
};

/** An error that the API returns (developer.paypal.com/api/rest/responses). */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  readonly details: readonly ErrorDetail[];
  readonly links: readonly ErrorLink[];

  constructor(
    status: ErrorStatus,
    details: readonly ErrorDetail[] = [],
    links: readonly ErrorLink[] = [],
  ) {
    super(ERRORS[status][1]);
    this.status = status;
    this.details = details;
    this.links = links;
  }

  get body(): object {
    const [name, message] = ERRORS[this.status];
    return {
      name,
      message,
      debug_id: randomBytes(6).toString('hex'),
      ...(this.details.length > 0 && { details: this.details }),
      ...(this.links.length > 0 && { links: this.links }),
    };
  }

  get response(): Response {
    return Response.json(this.body, {
      status: this.status,
      ...(this.status === 429 && { headers: { 'Retry-After': '1' } }),
    });
  }
}

export class InvalidRequestError extends ApiError {
  constructor(details: readonly ErrorDetail[]) {
    super(400, details);
  }
}

export class UnprocessableError extends ApiError {
  constructor(issue: string, field: ErrorField & { readonly description?: string } = {}) {
    super(422, [createErrorDetail(issue, field)]);
  }
}

/** Error for a control action that the object's state does not allow. */
export class StateError extends Error {}

/** Error for a payment attempt that was declined. */
export class DeclinedError extends ApiError {
  constructor(issue: string, links: readonly ErrorLink[]) {
    super(422, [createErrorDetail(issue)], links);
  }
}

export class NotFoundError extends ApiError {
  constructor() {
    super(404, [createErrorDetail('INVALID_RESOURCE_ID')]);
  }
}

export function createErrorDetail(
  issue: string,
  field: ErrorField & { readonly description?: string } = {},
): ErrorDetail {
  const description = field.description ?? DESCRIPTIONS[issue];
  return { ...field, issue, ...(description !== undefined && { description }) };
}
