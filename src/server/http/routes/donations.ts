import { type DonationOutcome, donationRequest } from '@donation-form/core/schemas';
import type { Donation } from '../../database/schema.ts';
import { continueDonation, submitDonation } from '../../donations/submit-donation.ts';
import { toOutcome } from '../../donations/to-outcome.ts';
import { Problem } from '../../lib/problem.ts';
import {
  type AppOptions,
  createBodyLimitMiddleware,
  identifyClient,
  MAX_DONATION_BYTES,
  MAX_REPORT_BYTES,
  readText,
  rejectOtherMethods,
  type RouteContext,
  type Router,
  sendWithCommonHeaders,
} from '../context.ts';
import { findDonation, hashIdempotencyKey } from '../idempotency-key.ts';
import {
  assertJsonContentType,
  assertPageMatchesOrigin,
  assertSentByScript,
} from '../origin-check.ts';
import { parseJsonBody } from '../parse-json-body.ts';

/** Contains a challenge and its solution as base64-encoded JSON. */
export const SOLUTION_HEADER = 'Challenge-Solution';

const HTTP_STATUS = {
  succeeded: 200,
  processing: 202,
  requires_action: 202,
  unconfirmed: 202,
  failed: 402,
} as const satisfies Record<DonationOutcome['status'], number>;

export function addDonationRoutes(app: Router, options: AppOptions): void {
  const { organizations, fraudProtection } = options;

  app.post('/donations', createBodyLimitMiddleware(MAX_DONATION_BYTES), async (c) => {
    assertSentByScript(c, organizations.origins);
    assertJsonContentType(c);
    const request = parseJsonBody(await readText(c), donationRequest);
    const keyHash = hashIdempotencyKey(c.req.header('Idempotency-Key'));
    const origin = c.req.header('Origin');
    assertPageMatchesOrigin(request.form, origin);
    const form = organizations.findForm(request.form.id);
    if (form) c.set('organization', form.organization.id);
    const submission = {
      request,
      form,
      origin,
      keyHash,
      client: identifyClient(c, fraudProtection),
      solution: c.req.header(SOLUTION_HEADER),
    };
    return sendOutcome(c, await submitDonation(submission, options));
  });

  const getDonation = async (c: RouteContext): Promise<Donation> => {
    const row = await findDonation(c, c.req.header('Idempotency-Key'), options);
    if (!row)
      throw new Problem(
        'donation-not-found',
        'There is no donation with this Idempotency-Key, so no charge was made.',
      );
    return row;
  };

  app.get('/donations', async (c) => sendOutcome(c, toOutcome(await getDonation(c))));

  for (const [path, action] of [
    ['/donations/confirm', 'syncAfterDonorAction'],
    ['/donations/cancel', 'cancelDonation'],
  ] as const) {
    app.post(path, createBodyLimitMiddleware(MAX_REPORT_BYTES), async (c) => {
      assertSentByScript(c, organizations.origins);
      const donation = await getDonation(c);
      const client = identifyClient(c, fraudProtection);
      return sendOutcome(c, await continueDonation(donation, action, client, options));
    });
  }

  /**
   * Responds with 204 if the client needs no challenge. The form sets `required` after the server
   * rejects a donation without a solution.
   */
  app.get('/challenge', async (c) => {
    const { definition } = organizations.getForm(c.req.query('form')).form.en;
    const headers = { 'Cache-Control': 'no-store' };
    const challenge = await fraudProtection.issueChallenge(
      identifyClient(c, fraudProtection),
      definition.id,
      c.req.query('required') !== undefined,
    );
    return challenge ? c.json(challenge, 200, headers) : c.body(null, 204, headers);
  });

  rejectOtherMethods(app, '/donations', '/donations/confirm', '/donations/cancel', '/challenge');
}

function sendOutcome(c: RouteContext, outcome: DonationOutcome): Response {
  c.set('reference', outcome.reference);
  return sendWithCommonHeaders(c, JSON.stringify(outcome), HTTP_STATUS[outcome.status], {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
  });
}
