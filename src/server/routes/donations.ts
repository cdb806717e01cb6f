import type { Hono } from 'hono';
import type { Outcome } from '../../contract/outcome.ts';
import { inLanguage, type Desks } from '../desks.ts';
import { hasTag } from '../entity-tag.ts';
import { LARGEST_BODY, LARGEST_REPORT, checkContentType, checkKey, checkOrigin } from '../guard.ts';
import { sha256 } from '../hash.ts';
import type { Journal } from '../journal.ts';
import { toOutcome } from '../kept-gift.ts';
import { Problem } from '../problem.ts';
import { checkDonation, checkReturnUrl, readDonation } from '../read-donation.ts';
import type { GiftRow } from '../tables.ts';
import { atMost, newRoutes, onlyThese, type RouteContext, type RouteEnv } from './route.ts';

const HTTP_STATUS = { succeeded: 200, pending: 202, action: 202, checking: 202, declined: 402 } as const satisfies Record<Outcome['state'], number>;

/** Gifts: giving one, and asking what became of it. */
export function donationRoutes({ desks, journal }: { readonly desks: Desks; readonly journal: Journal }): Hono<RouteEnv> {
  const app = newRoutes();

  app.post('/donations', atMost(LARGEST_BODY), async (c) => {
    checkOrigin(c.req.header('Origin'), desks.origins);
    checkContentType(c.req.header('Content-Type'));
    const keyHash = sha256(checkKey(c.req.header('Idempotency-Key')));
    const request = readDonation(await c.req.text().catch(() => ''));
    const known = await journal.byKeyHash(keyHash), knownTo = known && desks.donationsOf(known.organization);
    if (knownTo) {
      checkReturnUrl(request, knownTo.origins);
      return answer(await knownTo.goOn(known, request));
    }
    const { organization, form, donations } = desks.of(request.form.id);
    checkOrigin(c.req.header('Origin'), organization.origins);
    const { definition, etag } = inLanguage(form, request.form.language);
    if (!hasTag(request.definition, etag)) throw new Problem('definition-changed', 'The form has changed since it was shown. Fetch GET /form again in the language of form.language, show it and ask the donor again.');
    checkDonation(request, definition);
    checkReturnUrl(request, organization.origins);
    return answer(await donations.give(request, definition, keyHash));
  });

  /** The gift under the key of a request. */
  const giftOf = async (c: RouteContext): Promise<GiftRow> => {
    const row = await journal.byKeyHash(sha256(checkKey(c.req.header('Idempotency-Key'))));
    if (!row) throw new Problem('donation-unknown', 'No gift was accepted under this Idempotency-Key: nothing was charged.');
    return row;
  };

  app.get('/donations', async (c) => answer(toOutcome(await giftOf(c))));

  /** After an action: what became of it, or what the donor still has to do. */
  for (const [path, step] of [['/donations/confirm', 'confirm'], ['/donations/cancel', 'cancel']] as const) {
    app.post(path, atMost(LARGEST_REPORT), async (c) => {
      checkOrigin(c.req.header('Origin'), desks.origins);
      const row = await giftOf(c), donations = desks.donationsOf(row.organization);
      return answer(donations ? await donations[step](row) : toOutcome(row));
    });
  }

  onlyThese(app, '/donations', '/donations/confirm', '/donations/cancel');
  return app;
}

function answer(outcome: Outcome): Response {
  return Response.json(outcome, { status: HTTP_STATUS[outcome.state], headers: { 'Cache-Control': 'no-store' } });
}
