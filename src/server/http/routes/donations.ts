import type { Hono } from 'hono';
import type { Outcome } from '@donation-form/core/schemas';
import { inLanguage, type FormRegistry } from '../../donations/form-registry.ts';
import { hasTag } from '../../lib/etag.ts';
import type { FraudProtection } from '../../fraud-protection/fraud-protection.ts';
import { checkKey } from '../idempotency-key.ts';
import { checkContentType, checkFetchMetadata, checkOrigin, checkPage } from '../origin-check.ts';
import { LARGEST_BODY, LARGEST_REPORT } from '../body-limits.ts';
import { sha256 } from '../../lib/hash.ts';
import type { DonationRepository } from '../../donations/donation-repository.ts';
import { toOutcome } from '../../donations/to-outcome.ts';
import { Problem, pausedProblem } from '../../lib/problem.ts';
import { checkDonation, checkReturnUrl, readDonation } from '../validate-donation.ts';
import type { Donation } from '../../database/schema.ts';
import { SOLUTION_HEADER, clientIn } from './challenge.ts';
import {
  limitBody,
  newRoutes,
  allowOnlyMethods,
  type RouteContext,
  type RouteEnv,
} from '../context.ts';

const HTTP_STATUS = {
  succeeded: 200,
  pending: 202,
  action: 202,
  checking: 202,
  declined: 402,
} as const satisfies Record<Outcome['state'], number>;

/** Gifts: giving one, and asking what became of it. */
export function donationRoutes({
  formRegistry,
  repository,
  guard,
}: {
  readonly formRegistry: FormRegistry;
  readonly repository: DonationRepository;
  readonly guard: FraudProtection;
}): Hono<RouteEnv> {
  const app = newRoutes();

  /** Does something about a gift of this server, and counts whether it was declined only now. */
  const goOnWith = (c: RouteContext, row: Donation, step: Promise<Outcome>): Promise<Outcome> => {
    if (row.state !== 'charging' && row.state !== 'action') return step;
    const { donor, form } = row.payload;
    return guard.watch(
      {
        client: clientIn(c, guard),
        email: donor.email,
        form: formRegistry.find(form.id)?.form.en.definition.id ?? form.id,
      },
      step,
    );
  };

  app.post('/donations', limitBody(LARGEST_BODY), async (c) => {
    const origin = c.req.header('Origin');
    checkOrigin(origin, formRegistry.origins);
    checkFetchMetadata(c.req.raw.headers);
    checkContentType(c.req.header('Content-Type'));
    const keyHash = sha256(checkKey(c.req.header('Idempotency-Key')));
    const request = readDonation(await c.req.text().catch(() => ''));
    checkPage(request.form, origin);
    const known = await repository.findByKeyHash(keyHash);
    const knownTo = known && formRegistry.serviceOf(known.organization);
    if (knownTo) {
      checkReturnUrl(request, knownTo.origins);
      c.set('organization', known.organization);
      return answer(c, await goOnWith(c, known, knownTo.resume(known, request)));
    }
    const { organization, form, donations } = formRegistry.get(request.form.id);
    c.set('organization', organization.id);
    checkOrigin(origin, organization.origins);
    if (await repository.pauses.isPaused(organization.id)) throw pausedProblem();
    const { definition, etag } = inLanguage(form, request.form.language);
    if (!hasTag(request.definition, etag))
      throw new Problem(
        'form-outdated',
        'The form has changed since it was shown. Fetch GET /form again in the language of form.language, show it and ask the donor again.',
      );
    checkDonation(request, definition);
    checkReturnUrl(request, organization.origins);
    const attempt = {
      client: clientIn(c, guard),
      email: request.donor.email,
      form: definition.id,
      keyHash,
      solution: c.req.header(SOLUTION_HEADER),
      isTrapped: Boolean(request.form.website),
    };
    return answer(
      c,
      await guard.admit(attempt, () => donations.create(request, definition, keyHash)),
    );
  });

  /** The gift under the key of a request. */
  const giftOf = async (c: RouteContext): Promise<Donation> => {
    await guard.limit('questions', clientIn(c, guard));
    const row = await repository.findByKeyHash(sha256(checkKey(c.req.header('Idempotency-Key'))));
    if (!row)
      throw new Problem(
        'donation-not-found',
        'No gift was accepted under this Idempotency-Key: nothing was charged.',
      );
    c.set('organization', row.organization);
    c.set('reference', row.reference);
    return row;
  };

  app.get('/donations', async (c) => answer(c, toOutcome(await giftOf(c))));

  /** After an action: what became of it, or what the donor still has to do. */
  for (const [path, step] of [
    ['/donations/confirm', 'confirm'],
    ['/donations/cancel', 'cancel'],
  ] as const) {
    app.post(path, limitBody(LARGEST_REPORT), async (c) => {
      checkOrigin(c.req.header('Origin'), formRegistry.origins);
      checkFetchMetadata(c.req.raw.headers);
      const row = await giftOf(c);
      const donations = formRegistry.serviceOf(row.organization);
      return answer(c, donations ? await goOnWith(c, row, donations[step](row)) : toOutcome(row));
    });
  }

  allowOnlyMethods(app, '/donations', '/donations/confirm', '/donations/cancel');
  return app;
}

function answer(c: RouteContext, outcome: Outcome): Response {
  c.set('reference', outcome.reference);
  return c.json(outcome, HTTP_STATUS[outcome.state], { 'Cache-Control': 'no-store' });
}
