import {
  isObject,
  readText,
  refusal,
  refuseUnknown,
  shown,
  type JsonObject,
} from '../lib/request-parsing.ts';
import { FREQUENCIES, type PaymentTerms } from './records.ts';

const TERMS: readonly (keyof PaymentTerms)[] = [
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
const LONGEST = 500;

/** Reads what a server says of a payment. @throws a refusal that says what is expected. */
export function readTerms(text: string): PaymentTerms {
  const body = parse(text);
  refuseUnknown('field of a payment', Object.keys(body), TERMS);
  const { amount, currency } = body;
  const frequency = FREQUENCIES.find((known) => known === body.frequency);
  const [reference = '', email = '', description = ''] = ['reference', 'email', 'description'].map(
    (name) => readText(body, name),
  );
  if (reference === '') throw refusal('reference must be a string that is not empty.');
  if ([reference, email, description].some(({ length }) => length > LONGEST))
    throw refusal(`reference, email and description must have ${LONGEST} characters at most.`);
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 1)
    throw refusal(`amount is ${shown(amount)}; expected a whole number of minor units, 1 or more.`);
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))
    throw refusal(`currency is ${shown(currency)}; expected a code of ISO 4217 such as USD.`);
  if (frequency === undefined)
    throw refusal(
      `frequency is ${shown(body.frequency)}; expected one of ${FREQUENCIES.join(', ')}.`,
    );
  if (email !== '' && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw refusal(`email is ${shown(email)}; expected an e-mail address.`);
  const receipt = readTruth(body, 'receipt');
  const hosted = readTruth(body, 'hosted');
  const returnUrl = readReturnUrl(body);
  if (hosted && returnUrl === null)
    throw refusal('returnUrl is missing; a payment with hosted: true needs one.');
  return { reference, amount, currency, frequency, email, description, receipt, hosted, returnUrl };
}

/**
 * Where the donor is to be led back to.
 * @throws a refusal for anything but an http or https address.
 */
export function readReturnUrl({ returnUrl }: JsonObject): string | null {
  if (returnUrl === undefined) return null;
  const { protocol = '' } =
    typeof returnUrl === 'string' && URL.canParse(returnUrl) ? new URL(returnUrl) : {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw refusal(`returnUrl is ${shown(returnUrl)}; expected an http or https address.`);
  return returnUrl as string;
}

function parse(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return body;
  } catch {
    // Refused below, as any other body that is no object.
  }
  throw refusal('The body must be a JSON object.');
}

function readTruth(body: JsonObject, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value !== 'boolean')
    throw refusal(`${name} is ${shown(value)}; expected true or false.`);
  return value;
}
