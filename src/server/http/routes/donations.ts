import type { Hono } from 'hono';
import type { DonationOutcome } from '@donation-form/core/schemas';
import type { Organizations } from '../../organizations/organizations.ts';
import {
  assertJsonContentType,
  assertFetchMetadata,
  assertOriginIsAllowed,
} from '../origin-check.ts';
import { MAX_DONATION_BYTES, MAX_REPORT_BYTES } from '../body-limits.ts';
import { toOutcome } from '../../donations/to-outcome.ts';
import { Problem } from '../../lib/problem.ts';
import { parseDonationRequest } from '../assert-donation-is-allowed.ts';
import type { Donation } from '../../database/schema.ts';
import type { DonationSubmitter } from '../donation-submitter.ts';
import { SOLUTION_HEADER } from './challenge.ts';
import {
  createBodyLimitMiddleware,
  createRouter,
  readText,
  rejectOtherMethods,
  sendWithCommonHeaders,
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
  organizations,
  donationSubmitter,
}: {
  readonly organizations: Organizations;
  readonly donationSubmitter: DonationSubmitter;
}): Hono<RouteEnv> {
  const app = createRouter();

  app.post('/donations', createBodyLimitMiddleware(MAX_DONATION_BYTES), async (c) => {
    const origin = c.req.header('Origin');
    assertOriginIsAllowed(origin, organizations.origins);
    assertFetchMetadata(c.req.raw.headers);
    assertJsonContentType(c.req.header('Content-Type'));
    const request = parseDonationRequest(await readText(c));
    return sendOutcome(
      c,
      await donationSubmitter.submitDonation(c, request, {
        origin,
        idempotencyKey: c.req.header('Idempotency-Key'),
        solution: c.req.header(SOLUTION_HEADER),
      }),
    );
  });

  /** Finds the donation with the request's idempotency key. */
  const getDonation = async (c: RouteContext): Promise<Donation> => {
    const row = await donationSubmitter.findDonation(c, c.req.header('Idempotency-Key'));
    if (!row)
      throw new Problem(
        'donation-not-found',
        'There is no donation with this Idempotency-Key, so no charge was made.',
      );
    return row;
  };

  app.get('/donations', async (c) => sendOutcome(c, toOutcome(await getDonation(c))));

  for (const [path, method] of [
    ['/donations/confirm', 'syncAfterDonorAction'],
    ['/donations/cancel', 'cancelDonation'],
  ] as const) {
    app.post(path, createBodyLimitMiddleware(MAX_REPORT_BYTES), async (c) => {
      assertOriginIsAllowed(c.req.header('Origin'), organizations.origins);
      assertFetchMetadata(c.req.raw.headers);
      const row = await getDonation(c);
      return sendOutcome(
        c,
        (await donationSubmitter.continueDonation(c, row, method)) ?? toOutcome(row),
      );
    });
  }

  rejectOtherMethods(app, '/donations', '/donations/confirm', '/donations/cancel');
  return app;
}

function sendOutcome(c: RouteContext, outcome: DonationOutcome): Response {
  c.set('reference', outcome.reference);
  return sendWithCommonHeaders(c, JSON.stringify(outcome), HTTP_STATUS[outcome.status], {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
  });
}
