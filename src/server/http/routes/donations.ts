import type { Hono } from 'hono';
import type { DonationOutcome } from '@donation-form/core/schemas';
import { getLocalizedDefinition, type FormRegistry } from '../../donations/form-registry.ts';
import { matchesETag } from '../../lib/etag.ts';
import type { FraudProtection } from '../../fraud-protection/fraud-protection.ts';
import { parseIdempotencyKey } from '../idempotency-key.ts';
import {
  assertJsonContentType,
  assertFetchMetadata,
  assertOriginIsAllowed,
  assertPageMatchesOrigin,
} from '../origin-check.ts';
import { MAX_DONATION_BYTES, MAX_REPORT_BYTES } from '../body-limits.ts';
import { hashSha256 } from '../../lib/hash.ts';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import { toOutcome } from '../../donations/to-outcome.ts';
import { Problem, createPausedProblem } from '../../lib/problem.ts';
import {
  assertDonationIsAllowed,
  assertReturnUrlIsAllowed,
  parseDonationRequest,
} from '../assert-donation-is-allowed.ts';
import type { Donation } from '../../database/schema.ts';
import { SOLUTION_HEADER, identifyClient } from './challenge.ts';
import {
  createBodyLimitMiddleware,
  createRouter,
  rejectOtherMethods,
  type RouteContext,
  type RouteEnv,
} from '../context.ts';

const HTTP_STATUS = {
  succeeded: 200,
  processing: 202,
  requires_action: 202,
  unconfirmed: 202,
  failed: 402,
} as const satisfies Record<DonationOutcome['status'], number>;

/** Creates the routes that create, confirm, cancel, and return donations. */
export function createDonationRoutes({
  formRegistry,
  repository,
  fraudProtection,
}: {
  readonly formRegistry: FormRegistry;
  readonly repository: DonationRepository;
  readonly fraudProtection: FraudProtection;
}): Hono<RouteEnv> {
  const app = createRouter();

  /**
   * Continues a stored donation, and counts a decline for fraud protection if its card is declined
   * now.
   */
  const continueDonation = (
    c: RouteContext,
    row: Donation,
    outcome: Promise<DonationOutcome>,
  ): Promise<DonationOutcome> => {
    if (row.status !== 'unconfirmed' && row.status !== 'requires_action') return outcome;
    const { donor, form } = row.payload;
    return fraudProtection.awaitOutcomeAndCountDecline(
      {
        client: identifyClient(c, fraudProtection),
        email: donor.email,
        form: formRegistry.findForm(form.id)?.form.en.definition.id ?? form.id,
      },
      outcome,
    );
  };

  app.post('/donations', createBodyLimitMiddleware(MAX_DONATION_BYTES), async (c) => {
    const origin = c.req.header('Origin');
    assertOriginIsAllowed(origin, formRegistry.origins);
    assertFetchMetadata(c.req.raw.headers);
    assertJsonContentType(c.req.header('Content-Type'));
    const keyHash = hashSha256(parseIdempotencyKey(c.req.header('Idempotency-Key')));
    const request = parseDonationRequest(await c.req.text().catch(() => ''));
    assertPageMatchesOrigin(request.form, origin);
    const existing = await repository.findByKeyHash(keyHash);
    const existingService = existing && formRegistry.findDonationService(existing.organization);
    if (existingService) {
      assertReturnUrlIsAllowed(request, existingService.origins);
      c.set('organization', existing.organization);
      return sendOutcome(
        c,
        await continueDonation(
          c,
          existing,
          existingService.resumeOrAwaitDonation(existing, request),
        ),
      );
    }
    const { organization, form, donations } = formRegistry.getForm(request.form.id);
    c.set('organization', organization.id);
    assertOriginIsAllowed(origin, organization.origins);
    if (await repository.pauses.isPaused(organization.id)) throw createPausedProblem();
    const { definition, etag } = getLocalizedDefinition(form, request.form.language);
    if (!matchesETag(request.definition, etag))
      throw new Problem(
        'form-outdated',
        'The form has changed since the donor saw it. Fetch GET /form again in the language ' +
          'of form.language, show it, and ask the donor again.',
      );
    assertDonationIsAllowed(request, definition);
    assertReturnUrlIsAllowed(request, organization.origins);
    const attempt = {
      client: identifyClient(c, fraudProtection),
      email: request.donor.email,
      form: definition.id,
      keyHash,
      solution: c.req.header(SOLUTION_HEADER),
      honeypotFilled: Boolean(request.form.website),
    };
    return sendOutcome(
      c,
      await fraudProtection.createDonationIfAllowed(attempt, () =>
        donations.createAndChargeDonation(request, definition, keyHash),
      ),
    );
  });

  /** Finds the donation with a request's idempotency key. */
  const findDonation = async (c: RouteContext): Promise<Donation> => {
    await fraudProtection.countRequestAndEnforceLimit(
      'lookups',
      identifyClient(c, fraudProtection),
    );
    const row = await repository.findByKeyHash(
      hashSha256(parseIdempotencyKey(c.req.header('Idempotency-Key'))),
    );
    if (!row)
      throw new Problem(
        'donation-not-found',
        'There is no donation with this Idempotency-Key, so no charge was made.',
      );
    c.set('organization', row.organization);
    c.set('reference', row.reference);
    return row;
  };

  app.get('/donations', async (c) => sendOutcome(c, toOutcome(await findDonation(c))));

  for (const [path, method] of [
    ['/donations/confirm', 'syncAfterDonorAction'],
    ['/donations/cancel', 'cancelDonation'],
  ] as const) {
    app.post(path, createBodyLimitMiddleware(MAX_REPORT_BYTES), async (c) => {
      assertOriginIsAllowed(c.req.header('Origin'), formRegistry.origins);
      assertFetchMetadata(c.req.raw.headers);
      const row = await findDonation(c);
      const donations = formRegistry.findDonationService(row.organization);
      return sendOutcome(
        c,
        donations ? await continueDonation(c, row, donations[method](row)) : toOutcome(row),
      );
    });
  }

  rejectOtherMethods(app, '/donations', '/donations/confirm', '/donations/cancel');
  return app;
}

function sendOutcome(c: RouteContext, outcome: DonationOutcome): Response {
  c.set('reference', outcome.reference);
  return c.json(outcome, HTTP_STATUS[outcome.status], { 'Cache-Control': 'no-store' });
}
