import type { DonationOutcome, DonationRequest } from '@donation-form/core/schemas';
import type { Donation } from '../database/schema.ts';
import type { Client } from '../fraud-protection/client-address.ts';
import type { FraudProtection } from '../fraud-protection/fraud-protection.ts';
import { createPausedProblem, Problem } from '../lib/problem.ts';
import { matchesETag } from '../lib/public-body.ts';
import {
  getLocalizedDefinition,
  type Organizations,
  type RegisteredForm,
} from '../organizations/organizations.ts';
import type { DonationRepository } from './donation-repository.ts';
import {
  assertDonationIsAllowed,
  assertOriginIsAllowed,
  assertReturnUrlIsAllowed,
} from './donation-rules.ts';
import type { DonationServices } from './donation-service.ts';
import { toOutcome } from './to-outcome.ts';
import { isUnfinished } from './transition.ts';

export interface DonationParts {
  readonly organizations: Organizations;
  readonly donationServices: DonationServices;
  readonly repository: DonationRepository;
  readonly fraudProtection: FraudProtection;
}

interface Submission {
  readonly request: DonationRequest;
  /** The request's form, if it is configured. */
  readonly form: RegisteredForm | undefined;
  /** Origin of the page with the form. */
  readonly origin: string | undefined;
  /** SHA-256 of the idempotency key. */
  readonly keyHash: string;
  readonly client: Client;
  /** Solution of a proof-of-work challenge. */
  readonly solution?: string | undefined;
}

/**
 * Checks, saves, and charges a donation. If the idempotency key already belongs to a donation,
 * continues that donation, even if the form or its origins have changed since: then the key alone
 * is the proof. If that donation's organization has not been in any configuration since the server
 * started, only returns the donation's outcome.
 * @throws {Problem} with a specific code for each violation.
 */
export async function submitDonation(
  submission: Submission,
  parts: DonationParts,
): Promise<DonationOutcome> {
  const { request, keyHash, client } = submission;
  const { organizations, donationServices, repository, fraudProtection } = parts;
  const existing = await repository.findByKeyHash(keyHash);
  if (existing) {
    const donations = donationServices.find(existing.organization);
    if (!donations) return toOutcome(existing);
    if (isUnfinished(existing)) assertReturnUrlIsAllowed(request, donations.origins);
    const outcome = await donations.resumeDonation(existing, request);
    await countDecline(existing, outcome, client, parts);
    return outcome;
  }
  const { organization, form } = submission.form ?? organizations.getForm(request.form.id);
  assertOriginIsAllowed(submission.origin, organization.origins);
  if (await repository.pauses.isPaused(organization.id)) throw createPausedProblem();
  const { definition, etag } = getLocalizedDefinition(form, request.form.language);
  if (!matchesETag(request.definition, etag))
    throw new Problem(
      'form-outdated',
      'The form has changed since the donor saw it. Call GET /form again with form.language as ' +
        'the language, show the new form, and ask the donor to confirm.',
    );
  assertDonationIsAllowed(request, definition);
  assertReturnUrlIsAllowed(request, organization.origins);
  const endAdmission = await fraudProtection.admitDonation({
    client,
    email: request.donor.email,
    form: definition.id,
    keyHash,
    solution: submission.solution,
    honeypotFilled: Boolean(request.form.website),
  });
  let outcome: DonationOutcome | undefined;
  try {
    outcome = await donationServices
      .find(organization.id)!
      .createDonation(request, definition, keyHash);
    return outcome;
  } finally {
    await endAdmission(outcome);
  }
}

/** Continues or cancels a donation, if its organization has been configured since the start. */
export async function continueDonation(
  donation: Donation,
  action: 'syncAfterDonorAction' | 'cancelDonation',
  client: Client,
  parts: DonationParts,
): Promise<DonationOutcome> {
  const donations = parts.donationServices.find(donation.organization);
  if (!donations) return toOutcome(donation);
  const outcome = await donations[action](donation);
  await countDecline(donation, outcome, client, parts);
  return outcome;
}

/** Counts the decline, unless the donation already had an outcome. */
async function countDecline(
  donation: Donation,
  outcome: DonationOutcome,
  client: Client,
  { organizations, fraudProtection }: DonationParts,
): Promise<void> {
  if (!isUnfinished(donation)) return;
  const { donor, form } = donation.payload;
  await fraudProtection.countDecline(
    {
      client,
      email: donor.email,
      form: organizations.findForm(form.id)?.form.en.definition.id ?? form.id,
    },
    outcome,
  );
}
