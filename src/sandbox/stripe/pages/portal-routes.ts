import { randomBytes } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Mailbox } from '../../data/mailbox.ts';
import type { Billing } from '../billing.ts';
import { getReferencedId } from '../ids.ts';
import type { PortalAccess } from '../internal-records.ts';
import type { Portal } from '../portal.ts';
import type { Store } from '../store.ts';
import { createMissingError, StripeApiError } from '../stripe-error.ts';
import { getTestPaymentMethod } from '../test-payment-methods.ts';
import { readFormFields } from './form-fields.ts';
import { EMPTY_INPUT, parseCard } from './payment-fields.ts';
import {
  type RecurringGift,
  renderCancelForm,
  renderCardForm,
  renderEmailForm,
  renderExpiredLink,
  renderGiftList,
  renderLinkSent,
} from './portal-pages.ts';

export interface PortalRoutesOptions {
  readonly store: Store;
  readonly billing: Billing;
  readonly portal: Portal;
  readonly mailbox: Mailbox;
  readonly getBaseUrl: () => string;
}

/** Seconds. */
const ACCESS_DURATION = 30 * 60;
const COOKIE = 'stripe-portal';
const CURRENT_STATUSES = ['active', 'past_due'];

/**
 * Creates the customer portal, on which donors manage their subscriptions. Donors request access by
 * email.
 */
export function createPortalRoutes({
  store,
  billing,
  portal,
  mailbox,
  getBaseUrl,
}: PortalRoutesOptions): Hono {
  const app = new Hono();

  const grantAccess = (kind: PortalAccess['kind'], email: string): string => {
    const secret = randomBytes(24).toString('base64url');
    store.saveInternalRecord('portal-access', secret, {
      kind,
      email,
      expiresAt: store.now + ACCESS_DURATION,
    });
    return secret;
  };
  const findAccessEmail = (kind: PortalAccess['kind'], secret: string): string | undefined => {
    const access = store.getInternalRecord('portal-access', secret);
    return access?.kind === kind && access.expiresAt > store.now ? access.email : undefined;
  };
  const listGifts = (email: string): RecurringGift[] =>
    store
      .listObjectsByField('customer', 'email', email)
      .flatMap(({ id }) => store.listObjectsByField('subscription', 'customer', id))
      .filter(({ status }) => CURRENT_STATUSES.includes(status))
      .map((subscription) => ({
        subscription,
        method:
          subscription.default_payment_method === null
            ? undefined
            : store.getObject(
                'payment_method',
                getReferencedId(subscription.default_payment_method),
              ),
      }));

  app.get('/p/login/:id', (c) => {
    portal.assertLoginPage(c.req.path);
    return renderEmailForm(getBaseUrl(), getBaseUrl() + c.req.path);
  });
  app.post('/p/login/:id', async (c) => {
    portal.assertLoginPage(c.req.path);
    const { email = '' } = await readFormFields(c);
    const to = email.trim();
    if (!/^[^\s@]+@[^\s@]+$/.test(to))
      return renderEmailForm(
        getBaseUrl(),
        getBaseUrl() + c.req.path,
        'Enter an email address, such as name@example.org.',
      );
    if (listGifts(to).length > 0)
      mailbox.insertEmail({
        to,
        subject: 'Your recurring donation',
        text: 'Use this link to change or cancel your donation. The link works once and expires after 30 minutes.',
        link: `${getBaseUrl()}/p/open/${grantAccess('link', to)}`,
        created: new Date(store.now * 1_000).toISOString(),
      });
    return renderLinkSent(getBaseUrl());
  });

  app.get('/p/open/:secret', async (c) => {
    const link = c.req.param('secret');
    const email = findAccessEmail('link', link);
    if (email === undefined) return renderExpiredLink(getBaseUrl());
    store.deleteInternalRecords('portal-access', link);
    setCookie(c, COOKIE, grantAccess('session', email), {
      path: new URL(`${getBaseUrl()}/p/session`).pathname,
      httpOnly: true,
      sameSite: 'Lax',
      secure: getBaseUrl().startsWith('https:'),
    });
    return c.redirect(`${getBaseUrl()}/p/session/gifts`, 303);
  });

  /** Wraps a handler that requires a portal session, and passes the donor's gifts to it. */
  const withSession =
    (handle: (c: Context, gifts: readonly RecurringGift[]) => Response | Promise<Response>) =>
    (c: Context): Response | Promise<Response> => {
      const email = findAccessEmail('session', getCookie(c, COOKIE) ?? '');
      return email === undefined ? renderExpiredLink(getBaseUrl()) : handle(c, listGifts(email));
    };
  const withGift = (handle: (c: Context, gift: RecurringGift) => Response | Promise<Response>) =>
    withSession((c, gifts) => {
      const id = c.req.param('id') ?? '';
      const gift = gifts.find(({ subscription }) => subscription.id === id);
      if (!gift) throw createMissingError(404, 'subscription', id, 'id');
      return handle(c, gift);
    });

  app.get(
    '/p/session/gifts',
    withSession((_c, gifts) => renderGiftList(getBaseUrl(), gifts)),
  );
  app.get(
    '/p/session/gifts/:id/card',
    withGift((_c, gift) => renderCardForm(getBaseUrl(), gift, EMPTY_INPUT)),
  );
  app.post(
    '/p/session/gifts/:id/card',
    withGift(async (c, gift) => {
      const card = parseCard(await readFormFields(c));
      if (!('number' in card)) return renderCardForm(getBaseUrl(), gift, card);
      if (!canSaveCard(card.number))
        return renderCardForm(
          getBaseUrl(),
          gift,
          EMPTY_INPUT,
          'This card was declined. Please use another card.',
        );
      store.runInTransaction(() => billing.changeCard(gift.subscription.id, card.number));
      return c.redirect(`${getBaseUrl()}/p/session/gifts`, 303);
    }),
  );
  app.get(
    '/p/session/gifts/:id/cancel',
    withGift((_c, gift) => renderCancelForm(getBaseUrl(), gift)),
  );
  app.post(
    '/p/session/gifts/:id/cancel',
    withGift((c, { subscription }) => {
      store.runInTransaction(() => billing.cancelSubscription(subscription.id));
      return c.redirect(`${getBaseUrl()}/p/session/gifts`, 303);
    }),
  );
  return app;
}

/**
 * Returns true if a card can be saved. Stripe also saves the test card that declines every charge.
 */
function canSaveCard(number: string): boolean {
  try {
    const { decline } = getTestPaymentMethod(number);
    return decline === undefined || number === '4000000000000341';
  } catch (error) {
    if (error instanceof StripeApiError) return false;
    throw error;
  }
}
