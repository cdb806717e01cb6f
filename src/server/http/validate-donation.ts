import {
  donationRequest,
  type DonationRequest,
  type FormDefinition,
} from '@donation-form/core/schemas';
import {
  NEEDED_ANYWHERE,
  isAddressField,
  hasCardNumber,
  CustomFieldDataType,
  readCustomValue,
} from '@donation-form/core/donor';
import { coveredCosts } from '@donation-form/core/money';
import { Problem } from '../lib/problem.ts';
import { readBody } from './parse-json-body.ts';

/**
 * Reads the body of `POST /donations`.
 * @throws {Problem} malformed-json, unknown-field, invalid-field.
 */
export function readDonation(text: string): DonationRequest {
  return readBody(text, donationRequest);
}

/**
 * Checks that a gift is one which the form offers, and that its sums are those of this server.
 * @throws {Problem} with a code of its own for each breach.
 */
export function checkDonation(request: DonationRequest, definition: FormDefinition): void {
  const { gift, donor, customFields = [], consents = [], payment } = request;
  const currency = definition.currencies.find(({ code }) => code === gift.currency);
  if (!currency)
    throw new Problem(
      'currency-not-allowed',
      `gift.currency is ${gift.currency}; this form takes ${list(definition.currencies.map(({ code }) => code))}.`,
    );
  if (!definition.frequencies.includes(gift.frequency))
    throw new Problem(
      'frequency-not-allowed',
      `gift.frequency is ${gift.frequency}; this form offers ${list(definition.frequencies)}.`,
    );
  checkProjects(gift, definition);
  if (gift.amount < currency.minimum)
    throw new Problem(
      'amount-too-small',
      `gift.amount is ${gift.amount}; the least is ${currency.minimum} minor units of ${currency.code}.`,
    );
  if (gift.amount > currency.maximum)
    throw new Problem(
      'amount-too-large',
      `gift.amount is ${gift.amount}; the most is ${currency.maximum} minor units of ${currency.code}.`,
    );
  if (gift.coverCosts && !currency.costs)
    throw new Problem(
      'fee-cover-not-allowed',
      `gift.coverCosts is true; this form does not offer to cover costs in ${currency.code}.`,
    );
  const costs = gift.coverCosts && currency.costs ? coveredCosts(gift.amount, currency.costs) : 0;
  const total = gift.amount + costs;
  if (gift.costs !== costs || gift.total !== total) {
    throw new Problem(
      'total-mismatch',
      `gift.costs is ${gift.costs} and gift.total is ${gift.total}; for gift.amount ${gift.amount} they are ${costs} and ${total}. What is charged is what was shown: show these sums and ask the donor again.`,
    );
  }
  checkPayment(payment, definition);
  if (gift.comment !== undefined && !definition.allowComment)
    throw new Problem(
      'comment-not-allowed',
      'gift.comment is not asked for by this form; leave it out.',
    );
  if (gift.tribute && !definition.allowTribute)
    throw new Problem(
      'tribute-not-allowed',
      'gift.tribute is not asked for by this form; leave it out.',
    );
  if (gift.anonymous && !definition.allowAnonymous)
    throw new Problem(
      'anonymity-not-allowed',
      'gift.anonymous is true; this form does not offer to keep names from the public, so leave it out.',
    );
  checkDonor(donor, definition);
  checkConsents(consents, definition);
  checkCustomFields(customFields, definition);
  checkForCardNumbers(request, definition);
}

function checkPayment(
  { provider, method, token }: DonationRequest['payment'],
  { payments }: FormDefinition,
): void {
  const offered = payments.find((one) => one.provider === provider);
  if (!offered || (method !== undefined && !offered.methods.includes(method))) {
    throw new Problem(
      'payment-method-not-available',
      `payment is ${provider}${method === undefined ? '' : `, method ${method}`}; this form takes ${payments.map((one) => `${one.provider}, methods ${list(one.methods.map(String)) || 'none'}`).join('; ')}.`,
    );
  }
  const takesToken = offered.methods.length > 0;
  if (
    (token !== undefined && !takesToken) ||
    (token === undefined && takesToken && !offered.hasHostedCheckout)
  ) {
    throw new Problem(
      'payment-method-not-available',
      `payment.token is ${token === undefined ? 'absent' : 'given'}; with ${provider} it has to be ${takesToken ? 'there' : 'left out'}.`,
    );
  }
}

/**
 * Checks that a donor comes back to a page that may show the form: an address of anybody's choice
 * would lead donors anywhere.
 * @throws {Problem} return-url-not-allowed.
 */
export function checkReturnUrl(
  { payment: { returnUrl } }: DonationRequest,
  origins: ReadonlySet<string>,
): void {
  if (returnUrl !== undefined && !origins.has(new URL(returnUrl).origin))
    throw new Problem(
      'return-url-not-allowed',
      'payment.returnUrl is no page that may show this form. Its origin must be in "origins" of the configuration.',
    );
}

/**
 * What donors write in words of their own.
 * @throws {Problem} card-number-detected, without what was found.
 */
function checkForCardNumbers(
  { gift: { comment, tribute }, donor, customFields = [] }: DonationRequest,
  definition: FormDefinition,
): void {
  const shownTexts = customFields.filter(({ id }) =>
    definition.customFields.some(
      (field) => field.id === id && field.label !== undefined && FREE_TEXT.includes(field.type),
    ),
  );
  const texts: Readonly<Record<string, string | undefined>> = {
    'gift.comment': comment,
    'gift.tribute.name': tribute?.name,
    'gift.tribute.message': tribute?.message,
    ...Object.fromEntries(
      (['organization', 'firstName', 'lastName', 'address1', 'address2', 'city'] as const).map(
        (name) => [`donor.${name}`, donor[name]],
      ),
    ),
    ...Object.fromEntries(shownTexts.map(({ id, value }) => [`custom field ${id}`, value])),
  };
  const found = Object.entries(texts).find(([, text]) => text !== undefined && hasCardNumber(text));
  if (found)
    throw new Problem(
      'card-number-detected',
      `${found[0]} holds digits that look like a card number; take them out. Card details belong into the payment field alone.`,
    );
}

const FREE_TEXT: readonly CustomFieldDataType[] = [
  CustomFieldDataType.Text,
  CustomFieldDataType.Paragraph,
];

function checkProjects(
  { amount, projects }: DonationRequest['gift'],
  { projects: offered, allowSplit }: FormDefinition,
): void {
  if (projects.some(({ id }) => !offered.some((project) => project.id === id)))
    throw new Problem(
      'project-not-allowed',
      `gift.projects names a project that this form does not offer; it offers the ids ${list(offered.map(({ id }) => id))}.`,
    );
  if (projects.length > 1 && !allowSplit)
    throw new Problem(
      'split-not-allowed',
      `gift.projects names ${projects.length} projects; this form takes one for each gift.`,
    );
  if (new Set(projects.map(({ id }) => id)).size < projects.length)
    throw new Problem(
      'split-not-allowed',
      'gift.projects names a project twice; name it once, with the sum of both.',
    );
  const sum = projects.reduce((total, part) => total + part.amount, 0);
  if (sum !== amount)
    throw new Problem(
      'total-mismatch',
      `The amounts of gift.projects sum to ${sum}, and gift.amount is ${amount}; make them equal.`,
    );
}

/**
 * An organisation gives without the name of a person. What an address needs beyond the least
 * depends on its country, which the form asks for as far as it knows it.
 */
function checkDonor(
  { organization, ...donor }: DonationRequest['donor'],
  { donorFields, allowOrganizations }: FormDefinition,
): void {
  if (organization !== undefined && !allowOrganizations)
    throw new Problem(
      'organization-not-allowed',
      'donor.organization is not asked for by this form; leave it out.',
    );
  for (const name of Object.keys(donor)) {
    if (!donorFields.some((field) => field.name === name))
      throw new Problem(
        'donor-field-not-allowed',
        `donor.${name} is not asked for by this form; leave it out.`,
      );
  }
  const hasCountry = donorFields.some(({ name }) => name === 'country');
  for (const { name, required } of donorFields) {
    const isNamed = organization !== undefined && (name === 'firstName' || name === 'lastName');
    const isUnused = hasCountry && isAddressField(name) && !NEEDED_ANYWHERE.includes(name);
    if (required && !isNamed && !isUnused && !donor[name])
      throw new Problem(
        'donor-field-required',
        `donor.${name} is required by this form and is empty or absent.`,
      );
  }
}

function checkConsents(
  given: NonNullable<DonationRequest['consents']>,
  { consents }: FormDefinition,
): void {
  for (const { id, words } of consents) {
    if (given.filter((consent) => consent.id === id && consent.words === words).length !== 1)
      throw new Problem(
        'consent-mismatch',
        `consents must hold ${id} once, given or not, in the words of this form's definition. Show these words and ask the donor again.`,
      );
  }
  if (given.length !== consents.length)
    throw new Problem(
      'consent-mismatch',
      `consents has ${given.length} entries; this form asks for ${consents.length}${consents.length > 0 ? `: ${list(consents.map(({ id }) => id))}` : ''}. Send each of them once and no other.`,
    );
  for (const { id, required } of consents) {
    if (required && !given.some((consent) => consent.id === id && consent.given))
      throw new Problem(
        'consent-required',
        `consents says that ${id} was not given; this form takes no gift without it.`,
      );
  }
}

function checkCustomFields(
  given: NonNullable<DonationRequest['customFields']>,
  { customFields, allowUnlistedCustomFields }: FormDefinition,
): void {
  given.forEach(({ id, value }, index) => {
    const field = customFields.find((known) => known.id === id);
    if (
      (!field && !allowUnlistedCustomFields) ||
      given.findIndex((other) => other.id === id) !== index
    ) {
      throw new Problem(
        'custom-field-not-allowed',
        `customFields.${index} names a custom field that this form does not take, or takes once; it takes the ids ${list(customFields.map((known) => known.id))}.`,
      );
    }
    if (
      field &&
      readCustomValue(
        value,
        field.type,
        field.options?.map((option) => option.value),
      ) !== value
    ) {
      throw new Problem(
        'custom-field-invalid',
        `customFields.${index}.value does not fit the field's data type, ${dataTypeName(field.type)}. Send a Boolean as true or false, a Date as yyyy-mm-dd, a List as one of its options, a Multiselect as options joined by commas.`,
      );
    }
  });
  for (const { id, required } of customFields) {
    if (required && !given.some((field) => field.id === id))
      throw new Problem(
        'custom-field-required',
        `customFields lacks ${id}, which this form requires.`,
      );
  }
}

function dataTypeName(type: CustomFieldDataType): string {
  return Object.entries(CustomFieldDataType).find(([, value]) => value === type)![0];
}

function list(words: readonly string[]): string {
  return words.join(', ');
}
