import {
  isJsonObject,
  parseString,
  createRequestError,
  assertKnownNames,
  formatForMessage,
  type JsonObject,
} from '../lib/request-parsing.ts';
import { FREQUENCIES, type PaymentRequest } from './records.ts';

const REQUEST_FIELDS: readonly (keyof PaymentRequest)[] = [
  'reference',
  'amount',
  'currency',
  'frequency',
  'email',
  'description',
  'receipt',
  'hosted',
  'returnUrl',
];
const MAX_LENGTH = 500;

/**
 * Parses the body of a request that creates a payment.
 * @throws HTTPException if a field is unknown or invalid.
 */
export function parsePaymentRequest(text: string): PaymentRequest {
  const body = parseJsonObject(text);
  assertKnownNames('payment field', Object.keys(body), REQUEST_FIELDS);
  const { amount, currency } = body;
  const frequency = FREQUENCIES.find((candidate) => candidate === body.frequency);
  const [reference = '', email = '', description = ''] = ['reference', 'email', 'description'].map(
    (name) => parseString(body, name),
  );
  if (reference === '') throw createRequestError('reference must be a nonempty string.');
  if ([reference, email, description].some(({ length }) => length > MAX_LENGTH))
    throw createRequestError(
      `reference, email and description must have ${MAX_LENGTH} characters at most.`,
    );
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 1)
    throw createRequestError(
      `amount is ${formatForMessage(amount)}; expected an integer of 1 or more, in minor units.`,
    );
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    throw createRequestError(
      `currency is ${formatForMessage(currency)}; expected an ISO 4217 code, such as USD.`,
    );
  if (frequency === undefined)
    throw createRequestError(
      `frequency is ${formatForMessage(body.frequency)}; expected one of ${FREQUENCIES.join(', ')}.`,
    );
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw createRequestError(`email is ${formatForMessage(email)}; expected an email address.`);
  const receipt = parseBooleanField(body, 'receipt');
  const hosted = parseBooleanField(body, 'hosted');
  const returnUrl = parseReturnUrl(body);
  if (hosted && returnUrl === null)
    throw createRequestError('returnUrl is missing; it is required if hosted is true.');
  return { reference, amount, currency, frequency, email, description, receipt, hosted, returnUrl };
}

/**
 * Parses the URL that the donor returns to.
 * @throws HTTPException unless the value is an http or https URL.
 */
export function parseReturnUrl({ returnUrl }: JsonObject): string | null {
  if (returnUrl === undefined) return null;
  const { protocol = '' } =
    typeof returnUrl === 'string' && URL.canParse(returnUrl) ? new URL(returnUrl) : {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw createRequestError(
      `returnUrl is ${formatForMessage(returnUrl)}; expected an http or https URL.`,
    );
  return returnUrl as string;
}

function parseJsonObject(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text);
    if (isJsonObject(body)) return body;
  } catch {
    // Invalid JSON is rejected below, like any other body that is not an object.
  }
  throw createRequestError('The body must be a JSON object.');
}

function parseBooleanField(body: JsonObject, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value !== 'boolean')
    throw createRequestError(`${name} is ${formatForMessage(value)}; expected true or false.`);
  return value;
}
