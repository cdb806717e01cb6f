import {
  containsCardNumber,
  CustomFieldDataType,
  DEFAULT_REQUIRED_FIELDS,
  isAddressField,
  parseCustomValue,
} from '@donation-form/core/donor';
import { formatList } from '@donation-form/core/i18n';
import { calculateFeeCover, getFeeRate } from '@donation-form/core/money';
import type { DonationRequest, FormDefinition } from '@donation-form/core/schemas';
import { Problem } from '../lib/problem.ts';

/** @throws {Problem} with a specific code for each violation. */
export function assertDonationIsAllowed(
  request: DonationRequest,
  definition: FormDefinition,
): void {
  const { donor, customFields = [], consents = [], payment } = request;
  assertPaymentIsAllowed(payment, definition);
  assertAmountsAreAllowed(request, definition);
  assertOptionalFieldsAreAllowed(request, definition);
  assertDonorIsAllowed(donor, definition);
  assertConsentsMatch(consents, definition);
  assertGiftAidIsAllowed(request, definition);
  assertCustomFieldsAreAllowed(customFields, definition);
  assertNoCardNumbers(request, definition);
}

function assertAmountsAreAllowed(
  { gift, payment }: DonationRequest,
  definition: FormDefinition,
): void {
  const currency = definition.currencies.find(({ code }) => code === gift.currency);
  if (!currency)
    throw new Problem(
      'currency-not-allowed',
      `gift.currency is ${gift.currency}; this form accepts ` +
        `${formatList(definition.currencies.map(({ code }) => code))}.`,
    );
  if (!definition.frequencies.includes(gift.frequency))
    throw new Problem(
      'frequency-not-allowed',
      `gift.frequency is ${gift.frequency}; this form accepts ` +
        `${formatList(definition.frequencies)}.`,
    );
  assertProjectsAreAllowed(gift, definition);
  if (gift.amount < currency.minimum)
    throw new Problem(
      'amount-too-small',
      `gift.amount is ${gift.amount}; the minimum is ${currency.minimum} minor units of ` +
        `${currency.code}.`,
    );
  if (gift.amount > currency.maximum)
    throw new Problem(
      'amount-too-large',
      `gift.amount is ${gift.amount}; the maximum is ${currency.maximum} minor units of ` +
        `${currency.code}.`,
    );
  const { methods } = definition.payments.find(({ provider }) => provider === payment.provider)!;
  const feeRate = getFeeRate(currency.feeCover, payment.method ?? methods[0]);
  if (gift.coverCosts && !feeRate)
    throw new Problem(
      'fee-cover-not-allowed',
      `gift.coverCosts is true, but this form does not offer fee cover in ${currency.code} ` +
        'with this payment method. Send false for gift.coverCosts.',
    );
  const coveredFees = gift.coverCosts && feeRate ? calculateFeeCover(gift.amount, feeRate) : 0;
  const total = gift.amount + coveredFees;
  if (gift.coveredFees !== coveredFees || gift.total !== total) {
    throw new Problem(
      'total-mismatch',
      `gift.coveredFees is ${gift.coveredFees} and gift.total is ${gift.total}; expected ` +
        `${coveredFees} and ${total} for gift.amount ${gift.amount}. Show the donor ` +
        'the expected amounts, and ask them to confirm.',
    );
  }
}

function assertPaymentIsAllowed(
  { provider, method, token }: DonationRequest['payment'],
  { payments }: FormDefinition,
): void {
  const option = payments.find((payment) => payment.provider === provider);
  if (!option || (method !== undefined && !option.methods.includes(method))) {
    const allowed = payments.map(
      ({ provider: name, methods }) => `${name} (methods: ${methods.join(', ') || 'none'})`,
    );
    throw new Problem(
      'payment-method-not-available',
      `payment is ${provider}${method === undefined ? '' : ` with method ${method}`}; this form ` +
        `accepts ${formatList(allowed)}.`,
    );
  }
  const { hasField } = option;
  if (token !== undefined && !hasField)
    throw new Problem(
      'payment-method-not-available',
      `payment.token is present, but ${provider} does not use tokens. Omit payment.token.`,
    );
  if (token === undefined && hasField && !option.hasHostedCheckout)
    throw new Problem(
      'payment-method-not-available',
      `payment.token is missing, but ${provider} requires a token. Send the token from the ` +
        'payment field.',
    );
}

function assertOptionalFieldsAreAllowed(
  { gift }: DonationRequest,
  definition: FormDefinition,
): void {
  if (gift.comment !== undefined && !definition.allowComment)
    throw new Problem('comment-not-allowed', describeUnexpectedField('gift.comment'));
  if (gift.tribute && !definition.allowTribute)
    throw new Problem('tribute-not-allowed', describeUnexpectedField('gift.tribute'));
  if (gift.anonymous && !definition.allowAnonymous)
    throw new Problem(
      'anonymity-not-allowed',
      'gift.anonymous is true, but this form does not accept anonymous donations. Omit ' +
        'gift.anonymous.',
    );
}

/**
 * Browsers send the Origin header with every POST.
 * @throws {Problem} origin-not-allowed.
 */
export function assertOriginIsAllowed(
  origin: string | undefined,
  allowed: ReadonlySet<string>,
): void {
  if (origin === undefined || !allowed.has(origin)) {
    throw new Problem(
      'origin-not-allowed',
      origin === undefined
        ? 'The Origin header is missing. Send the request from a web page, where the browser ' +
            'adds the header.'
        : "This page is not allowed to show the form. Add the page's origin, exactly as in the " +
            'Origin header, to "origins" in the configuration.',
    );
  }
}

/**
 * Rejects return URLs of other origins, which could be an attacker's site.
 * @throws {Problem} return-url-not-allowed.
 */
export function assertReturnUrlIsAllowed(
  { payment: { returnUrl } }: DonationRequest,
  origins: ReadonlySet<string>,
): void {
  if (returnUrl !== undefined && !origins.has(new URL(returnUrl).origin))
    throw new Problem(
      'return-url-not-allowed',
      "The page at payment.returnUrl is not allowed to show this form. Add the page's origin " +
        'to "origins" in the configuration.',
    );
}

/** @throws {Problem} card-number-detected. The message omits the number. */
function assertNoCardNumbers(
  { gift: { comment, tribute }, donor, giftAid, customFields = [] }: DonationRequest,
  definition: FormDefinition,
): void {
  const assertNoCardNumber = (name: string, text: string | undefined): void => {
    if (text === undefined || !containsCardNumber(text)) return;
    throw new Problem(
      'card-number-detected',
      `${name} contains digits that look like a card number. Remove them; card details ` +
        'belong only in the payment field.',
    );
  };
  assertNoCardNumber('gift.comment', comment);
  assertNoCardNumber('gift.tribute.name', tribute?.name);
  assertNoCardNumber('gift.tribute.message', tribute?.message);
  assertNoCardNumber('giftAid.house', giftAid?.house);
  for (const name of DONOR_TEXT_FIELDS) assertNoCardNumber(`donor.${name}`, donor[name]);
  for (const { id, value } of customFields)
    if (
      definition.customFields.some(
        (field) =>
          field.id === id && field.label !== undefined && FREE_TEXT_TYPES.includes(field.type),
      )
    )
      assertNoCardNumber(`custom field ${id}`, value);
}

const DONOR_TEXT_FIELDS = [
  'organization',
  'firstName',
  'lastName',
  'address1',
  'address2',
  'city',
] as const;

const FREE_TEXT_TYPES: readonly CustomFieldDataType[] = [
  CustomFieldDataType.Text,
  CustomFieldDataType.Paragraph,
];

function assertProjectsAreAllowed(
  { amount, projects }: DonationRequest['gift'],
  { projects: allowed, allowSplit }: FormDefinition,
): void {
  if (projects.some(({ id }) => !allowed.some((project) => project.id === id)))
    throw new Problem(
      'project-not-allowed',
      'gift.projects contains a project that this form does not offer; expected one of the ' +
        `project IDs ${formatList(allowed.map(({ id }) => id))}.`,
    );
  if (projects.length > 1 && !allowSplit)
    throw new Problem(
      'split-not-allowed',
      `gift.projects has ${projects.length} projects; this form accepts one project per donation.`,
    );
  if (new Set(projects.map(({ id }) => id)).size < projects.length)
    throw new Problem(
      'split-not-allowed',
      'gift.projects contains the same project more than once. Send each project once, with ' +
        'the sum of its amounts.',
    );
  const sum = projects.reduce((total, project) => total + project.amount, 0);
  if (sum !== amount)
    throw new Problem(
      'total-mismatch',
      `The amounts in gift.projects add up to ${sum}, but gift.amount is ${amount}. Send ` +
        'amounts that add up to gift.amount.',
    );
}

/**
 * Does not require a person's name of an organization. If the form asks for the country, requires
 * only the address fields that every country has: the form might not have loaded the format.
 */
function assertDonorIsAllowed(
  { organization, ...donor }: DonationRequest['donor'],
  { donorFields, allowOrganizations }: FormDefinition,
): void {
  if (organization !== undefined && !allowOrganizations)
    throw new Problem('organization-not-allowed', describeUnexpectedField('donor.organization'));
  for (const name of Object.keys(donor)) {
    if (!donorFields.some((field) => field.name === name))
      throw new Problem('donor-field-not-allowed', describeUnexpectedField(`donor.${name}`));
  }
  const hasCountry = donorFields.some(({ name }) => name === 'country');
  for (const { name, required } of donorFields) {
    const isPersonOfOrganization =
      organization !== undefined && (name === 'firstName' || name === 'lastName');
    const dependsOnCountry =
      hasCountry && isAddressField(name) && !DEFAULT_REQUIRED_FIELDS.includes(name);
    if (required && !isPersonOfOrganization && !dependsOnCountry && !donor[name])
      throw new Problem(
        'donor-field-required',
        `donor.${name} is missing or empty, but this form requires it.`,
      );
  }
}

function assertConsentsMatch(
  received: NonNullable<DonationRequest['consents']>,
  { consents }: FormDefinition,
): void {
  for (const { id, text } of consents) {
    if (received.filter((consent) => consent.id === id && consent.text === text).length !== 1)
      throw new Problem(
        'consent-mismatch',
        `consents must contain ${id} exactly once, whether given or not, with the text from ` +
          'the form definition. Show the donor that text, and ask them to confirm.',
      );
  }
  if (received.length !== consents.length)
    throw new Problem(
      'consent-mismatch',
      `The number of entries in consents is ${received.length}; expected ` +
        `${consents.length}${consents.length > 0 ? `: ${formatList(consents.map(({ id }) => id))}` : ''}. ` +
        'Send each consent of this form once, and no others.',
    );
  for (const { id, required } of consents) {
    if (required && !received.some((consent) => consent.id === id && consent.given))
      throw new Problem(
        'consent-required',
        `The donor did not give the ${id} consent, but this form requires it.`,
      );
  }
}

function assertGiftAidIsAllowed(
  { giftAid, gift, donor }: DonationRequest,
  { giftAid: offer }: FormDefinition,
): void {
  if (!giftAid) return;
  if (!offer) throw new Problem('gift-aid-not-allowed', describeUnexpectedField('giftAid'));
  if (gift.currency !== 'GBP' || donor.organization !== undefined)
    throw new Problem(
      'gift-aid-not-allowed',
      'giftAid is present, but only people who give in GBP can use Gift Aid. Omit giftAid.',
    );
  if (gift.frequency !== 'once' && giftAid.scope !== 'all')
    throw new Problem(
      'gift-aid-not-allowed',
      `giftAid.scope is ${giftAid.scope}, which covers one payment, but the donation is recurring. ` +
        'Ask the donor for the declaration for all donations.',
    );
  if (giftAid.text !== offer[giftAid.scope])
    throw new Problem(
      'gift-aid-mismatch',
      'giftAid.text differs from the declaration in the form definition. Show the donor that ' +
        'text, and ask them to confirm.',
    );
}

function assertCustomFieldsAreAllowed(
  received: NonNullable<DonationRequest['customFields']>,
  { customFields, allowUnlistedCustomFields }: FormDefinition,
): void {
  received.forEach(({ id, value }, index) => {
    const field = customFields.find((known) => known.id === id);
    const isDuplicate = received.findIndex((other) => other.id === id) !== index;
    if (isDuplicate)
      throw new Problem(
        'custom-field-not-allowed',
        `customFields.${index}.id is a duplicate; expected each ID at most once.`,
      );
    if (!field && !allowUnlistedCustomFields)
      throw new Problem(
        'custom-field-not-allowed',
        `customFields.${index}.id is unknown; ` +
          (customFields.length === 0
            ? 'this form has no custom fields.'
            : `expected one of the IDs ${formatList(customFields.map((known) => known.id))}.`),
      );
    const options = field?.options?.map((option) => option.value);
    if (field && parseCustomValue(value, field.type, options) !== value) {
      throw new Problem(
        'custom-field-invalid',
        `customFields.${index}.value is not valid for the field's data type, ` +
          `${getDataTypeName(field.type)}. Send a Boolean as true or false, a Date as ` +
          'yyyy-mm-dd, a List as one of its options, and a Multiselect as options separated by ' +
          'commas.',
      );
    }
  });
  for (const { id, required } of customFields) {
    if (required && !received.some((field) => field.id === id))
      throw new Problem(
        'custom-field-required',
        `customFields does not contain ${id}, which this form requires.`,
      );
  }
}

function describeUnexpectedField(path: string): string {
  return `This form does not accept ${path}. Omit this field.`;
}

function getDataTypeName(type: CustomFieldDataType): string {
  return Object.entries(CustomFieldDataType).find(([, value]) => value === type)![0];
}
