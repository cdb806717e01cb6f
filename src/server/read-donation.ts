import { donationRequest, type DonationRequest } from '../contract/donation-request.ts';
import type { FormDefinition } from '../contract/form-definition.ts';
import { coveredCosts } from '../model/costs.ts';
import { CustomFieldDataType, readCustomValue } from '../model/custom-field.ts';
import { Problem } from './problem.ts';
import { readBody } from './read-body.ts';

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
export function checkDonation({ gift, donor, customFields = [], payment }: DonationRequest, definition: FormDefinition): void {
  const currency = definition.currencies.find(({ code }) => code === gift.currency);
  if (!currency) throw new Problem('currency-not-offered', `gift.currency is ${gift.currency}; this form takes ${list(definition.currencies.map(({ code }) => code))}.`);
  if (!definition.frequencies.includes(gift.frequency)) throw new Problem('frequency-not-offered', `gift.frequency is ${gift.frequency}; this form offers ${list(definition.frequencies)}.`);
  for (const { id } of gift.projects) {
    if (!definition.projects.some((project) => project.id === id)) throw new Problem('project-not-offered', `gift.projects names a project that this form does not offer; it offers the ids ${list(definition.projects.map((project) => project.id))}.`);
  }
  if (gift.amount < currency.minimum) throw new Problem('amount-too-small', `gift.amount is ${gift.amount}; the least is ${currency.minimum} minor units of ${currency.code}.`);
  if (gift.amount > currency.maximum) throw new Problem('amount-too-large', `gift.amount is ${gift.amount}; the most is ${currency.maximum} minor units of ${currency.code}.`);
  if (gift.coverCosts && !currency.costs) throw new Problem('costs-not-offered', `gift.coverCosts is true; this form does not offer to cover costs in ${currency.code}.`);
  const costs = gift.coverCosts && currency.costs ? coveredCosts(gift.amount, currency.costs) : 0;
  const total = gift.amount + costs;
  if (gift.costs !== costs || gift.total !== total) {
    throw new Problem('total-mismatch', `gift.costs is ${gift.costs} and gift.total is ${gift.total}; for gift.amount ${gift.amount} they are ${costs} and ${total}. What is charged is what was shown: show these sums and ask the donor again.`);
  }
  if (gift.projects.reduce((sum, { amount }) => sum + amount, 0) !== gift.amount) throw new Problem('total-mismatch', `The amounts of gift.projects do not sum to gift.amount, ${gift.amount}.`);
  if (payment.provider !== definition.payment.provider || !definition.payment.methods.includes(payment.method)) {
    throw new Problem('payment-not-offered', `payment is ${payment.provider}, method ${payment.method}; this form takes ${definition.payment.provider}, methods ${list(definition.payment.methods.map(String))}.`);
  }
  for (const name of Object.keys(donor)) {
    if (!definition.donorFields.some((field) => field.name === name)) throw new Problem('donor-field-not-offered', `donor.${name} is not asked for by this form; leave it out.`);
  }
  if (gift.comment !== undefined && !definition.acceptsComment) throw new Problem('comment-not-offered', 'gift.comment is not asked for by this form; leave it out.');
  checkCustomFields(customFields, definition);
  for (const { name, required } of definition.donorFields) {
    if (required && !donor[name]) throw new Problem('donor-field-required', `donor.${name} is required by this form and is empty or absent.`);
  }
}

function checkCustomFields(given: NonNullable<DonationRequest['customFields']>, { customFields, acceptsHiddenCustomFields }: FormDefinition): void {
  given.forEach(({ id, value }, index) => {
    const field = customFields.find((known) => known.id === id);
    if (!field && !acceptsHiddenCustomFields || given.findIndex((other) => other.id === id) !== index) {
      throw new Problem('custom-field-not-offered', `customFields.${index} names a custom field that this form does not take, or takes once; it takes the ids ${list(customFields.map((known) => known.id))}.`);
    }
    if (field && readCustomValue(value, field.type, field.options?.map((option) => option.value)) !== value) {
      throw new Problem('custom-field-invalid', `customFields.${index}.value does not fit the field's data type, ${dataTypeName(field.type)}. Send a Boolean as true or false, a Date as yyyy-mm-dd, a List as one of its options, a Multiselect as options joined by commas.`);
    }
  });
}

function dataTypeName(type: CustomFieldDataType): string {
  return Object.entries(CustomFieldDataType).find(([, value]) => value === type)![0];
}

function list(words: readonly string[]): string {
  return words.join(', ');
}
