import type { DonationOutcome, DonationRequest } from '@donation-form/core/schemas';
import type { Donation } from '../database/schema.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { DonationServices } from '../donations/donation-services.ts';
import { getLocalizedDefinition, type Organizations } from '../organizations/organizations.ts';
import { toOutcome } from '../donations/to-outcome.ts';
import type { FraudProtection } from '../fraud-protection/fraud-protection.ts';
import { matchesETag } from '../lib/etag.ts';
import { hashSha256 } from '../lib/hash.ts';
import { Problem, createPausedProblem } from '../lib/problem.ts';
import { assertDonationIsAllowed, assertReturnUrlIsAllowed } from './assert-donation-is-allowed.ts';
import type { RouteContext } from './context.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';
import { assertOriginIsAllowed, assertPageMatchesOrigin } from './origin-check.ts';
import { identifyClient } from './routes/challenge.ts';

export interface DonationSubmitterOptions {
  readonly organizations: Organizations;
  readonly donationServices: DonationServices;
  readonly repository: DonationRepository;
  readonly fraudProtection: FraudProtection;
}

/**
 * Values from the request's headers or, for the page without JavaScript, from the page's form
 * fields.
 */
export interface SubmissionCredentials {
  readonly origin: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Solution of a proof-of-work challenge. */
  readonly solution?: string | undefined;
}

/** Submits, finds, and continues donations for the JSON API and the page without JavaScript. */
export class DonationSubmitter {
  readonly #organizations: Organizations;
  readonly #donationServices: DonationServices;
  readonly #repository: DonationRepository;
  readonly #fraudProtection: FraudProtection;

  constructor(options: DonationSubmitterOptions) {
    const { organizations, donationServices, repository, fraudProtection } = options;
    this.#organizations = organizations;
    this.#donationServices = donationServices;
    this.#repository = repository;
    this.#fraudProtection = fraudProtection;
  }

  /**
   * Checks, saves, and charges a donation. If the idempotency key already belongs to a donation,
   * continues that donation. If that donation's organization has not been in any configuration
   * since the server started, only returns the donation's outcome.
   * @throws {Problem} with a specific code for each violation.
   */
  async submitDonation(
    c: RouteContext,
    request: DonationRequest,
    { origin, idempotencyKey, solution }: SubmissionCredentials,
  ): Promise<DonationOutcome> {
    const keyHash = hashSha256(parseIdempotencyKey(idempotencyKey));
    assertPageMatchesOrigin(request.form, origin);
    const existing = await this.#repository.findByKeyHash(keyHash);
    if (existing) {
      c.set('organization', existing.organization);
      const service = this.#donationServices.find(existing.organization);
      if (!service) return toOutcome(existing);
      assertReturnUrlIsAllowed(request, service.origins);
      return this.#countDecline(c, existing, service.resumeOrAwaitDonation(existing, request));
    }
    const { organization, form } = this.#organizations.getForm(request.form.id);
    c.set('organization', organization.id);
    assertOriginIsAllowed(origin, organization.origins);
    if (await this.#repository.pauses.isPaused(organization.id)) throw createPausedProblem();
    const { definition, etag } = getLocalizedDefinition(form, request.form.language);
    if (!matchesETag(request.definition, etag))
      throw new Problem(
        'form-outdated',
        'The form has changed since the donor saw it. Call GET /form again with form.language as ' +
          'the language, show the new form, and ask the donor to confirm.',
      );
    assertDonationIsAllowed(request, definition);
    assertReturnUrlIsAllowed(request, organization.origins);
    const attempt = {
      client: identifyClient(c, this.#fraudProtection),
      email: request.donor.email,
      form: definition.id,
      keyHash,
      solution,
      honeypotFilled: Boolean(request.form.website),
    };
    return this.#fraudProtection.createDonationIfAllowed(attempt, () =>
      this.#donationServices
        .find(organization.id)!
        .createAndChargeDonation(request, definition, keyHash),
    );
  }

  /**
   * Finds the donation with the given idempotency key. The lookup counts toward the client's limit.
   * @throws {Problem} too-many-requests, idempotency-key-missing, idempotency-key-invalid.
   */
  async findDonation(c: RouteContext, key: string | undefined): Promise<Donation | undefined> {
    await this.#fraudProtection.countRequestAndEnforceLimit(
      'lookups',
      identifyClient(c, this.#fraudProtection),
    );
    const row = await this.#repository.findByKeyHash(hashSha256(parseIdempotencyKey(key)));
    if (!row) return undefined;
    c.set('organization', row.organization);
    c.set('reference', row.reference);
    return row;
  }

  /**
   * Continues or cancels a donation after the donor's action. Returns `undefined` if the donation's
   * organization has not been in any configuration since the server started.
   */
  async continueDonation(
    c: RouteContext,
    row: Donation,
    method: 'syncAfterDonorAction' | 'cancelDonation',
  ): Promise<DonationOutcome | undefined> {
    const donations = this.#donationServices.find(row.organization);
    return donations && this.#countDecline(c, row, donations[method](row));
  }

  /**
   * Returns the outcome. If the donation was unconfirmed or awaiting the donor's action and the
   * card was declined, also counts the decline.
   */
  #countDecline(
    c: RouteContext,
    row: Donation,
    outcome: Promise<DonationOutcome>,
  ): Promise<DonationOutcome> {
    if (row.status !== 'unconfirmed' && row.status !== 'requires_action') return outcome;
    const { donor, form } = row.payload;
    return this.#fraudProtection.awaitOutcomeAndCountDecline(
      {
        client: identifyClient(c, this.#fraudProtection),
        email: donor.email,
        form: this.#organizations.findForm(form.id)?.form.en.definition.id ?? form.id,
      },
      outcome,
    );
  }
}
