import { type ZodError } from 'zod';
import { donationRequest, type DonationRequest } from '../contract/donation-request.ts';
import type { FormDefinition } from '../contract/form-definition.ts';
import { coveredCosts } from '../model/costs.ts';
import { Problem } from './problem.ts';

/**
 * Reads the body of `POST /donations`.
 * @throws {Problem} malformed-json, unknown-field, invalid-field.
 */
export function readDonation(text: string): DonationRequest {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Problem('malformed-json', 'The body is not JSON. Send a DonationRequest as UTF-8 JSON.');
  }
  const { data, error } = donationRequest.safeParse(body);
  if (error) throw shapeProblem(error);
  return data;
}

/**
 * Checks that a gift is one which the form offers, and that its sums are those of this server.
 * @throws {Problem} with a code of its own for each breach.
 */
export function checkDonation({ gift, donor, payment }: DonationRequest, definition: FormDefinition): void {
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
  for (const { name, required } of definition.donorFields) {
    if (required && !donor[name]) throw new Problem('donor-field-required', `donor.${name} is required by this form and is empty or absent.`);
  }
}

function shapeProblem({ issues }: ZodError): Problem {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.').slice(0, 100)) : []));
  if (unknown.length > 0) return new Problem('unknown-field', `Unknown fields: ${list(unknown.slice(0, 5))}. Leave them out, or update the script on the page.`);
  const places = issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  return new Problem('invalid-field', places.join(' · '));
}

function list(words: readonly string[]): string {
  return words.join(', ');
}
