import { Hono, type Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import {
  isSameOriginRequest,
  getRequestOrigin,
  createRequestError,
} from '../../lib/request-parsing.ts';
import { EMPTY_INPUT, parseFormInput } from '../fields.ts';
import { createSecret } from '../ids.ts';
import { renderNotFoundPage } from './page.ts';
import {
  renderEmailForm,
  renderCancelForm,
  renderCardForm,
  renderGiftList,
  renderLinkSent,
  renderExpiredLink,
  type RecurringGift,
} from './portal-pages.ts';
import type { Subscription } from '../records.ts';
import { simulateCharge } from '../test-numbers.ts';
import type { ProcessorContext } from '../context.ts';
import { getProcessorUrl } from '../views.ts';

const ACCESS_DURATION = 30 * 60_000;
const COOKIE = 'sandbox-portal';
const CURRENT_STATES: readonly Subscription['state'][] = ['active', 'retrying', 'suspended'];

/**
 * Creates the customer portal, where donors manage the recurring gifts under their email address.
 * Access requires a link sent to that address.
 */
export function createPortalRoutes({
  ledger,
  subscriptions,
  runTransaction,
  now,
}: ProcessorContext): Hono {
  const app = new Hono();
  const getAccessExpiry = (): string => new Date(now().getTime() + ACCESS_DURATION).toISOString();
  const listGifts = (email: string): RecurringGift[] =>
    ledger
      .findSubscriptionsByEmail(email)
      .filter(({ state }) => CURRENT_STATES.includes(state))
      .map((subscription) => ({
        subscription,
        first: ledger.listSubscriptionPayments(subscription.id)[0]!,
      }));

  app.use('*', async (c, next) => {
    if (c.req.method === 'POST' && !isSameOriginRequest(c.req.raw))
      throw createRequestError("This form was not sent from the processor's own page.", 403);
    return next();
  });

  app.get('/', (c) => renderEmailForm(c));
  app.post('/', async (c) => {
    const { email } = await c.req.parseBody();
    const to = typeof email === 'string' ? email.trim() : '';
    if (!/^[^\s@]+@[^\s@]+$/.test(to))
      return renderEmailForm(c, 'Enter an email address, such as name@example.org.');
    if (listGifts(to).length > 0) runTransaction(() => sendLink(c, to));
    return renderLinkSent(c);
  });

  function sendLink(c: Context, to: string): void {
    const secret = createSecret();
    ledger.grantAccess('link', secret, to, getAccessExpiry());
    ledger.insertEmail({
      to,
      subject: 'Your recurring gift',
      text: 'Use this link to change or cancel your gift. It works once and expires after 30 minutes.',
      link: `${getProcessorUrl(c)}/portal/open/${secret}`,
      created: now().toISOString(),
    });
  }

  app.get('/open/:secret', async (c) => {
    const link = c.req.param('secret');
    const email = ledger.findAccessEmail('link', link, now().toISOString());
    const session = createSecret();
    if (email === undefined) return renderExpiredLink(c);
    runTransaction(() => {
      ledger.revokeAccess(link);
      ledger.grantAccess('session', session, email, getAccessExpiry());
    });
    setCookie(c, COOKIE, session, {
      path: '/processor/portal',
      httpOnly: true,
      sameSite: 'Lax',
      secure: getRequestOrigin(c.req.raw).startsWith('https:'),
    });
    return c.redirect('/processor/portal/gifts', 303);
  });

  /** Wraps a handler that requires a portal session and gets the donor's gifts. */
  const withSession =
    (handler: (c: Context, gifts: readonly RecurringGift[]) => Response | Promise<Response>) =>
    (c: Context): Response | Promise<Response> => {
      const email = ledger.findAccessEmail(
        'session',
        getCookie(c, COOKIE) ?? '',
        now().toISOString(),
      );
      return email === undefined
        ? c.redirect('/processor/portal', 303)
        : handler(c, listGifts(email));
    };
  const withGift = (handler: (c: Context, gift: RecurringGift) => Response | Promise<Response>) =>
    withSession((c, gifts) => {
      const gift = gifts.find(({ subscription }) => subscription.id === c.req.param('id'));
      return gift ? handler(c, gift) : renderNotFoundPage(c);
    });

  app.get(
    '/gifts',
    withSession((c, gifts) => renderGiftList(c, gifts)),
  );

  app.get(
    '/gifts/:id/card',
    withGift((c, gift) => renderCardForm(c, gift, EMPTY_INPUT)),
  );
  app.post(
    '/gifts/:id/card',
    withGift(async (c, gift) => {
      const input = parseFormInput(await c.req.parseBody(), ['card']);
      if (!('source' in input)) return renderCardForm(c, gift, input);
      if (simulateCharge(input.source, false).state === 'declined')
        return renderCardForm(
          c,
          gift,
          EMPTY_INPUT,
          'This card was declined. Please use another one.',
        );
      runTransaction(() => subscriptions.changeSource(gift.subscription, input.source, now()));
      return c.redirect('/processor/portal/gifts', 303);
    }),
  );

  app.get('/gifts/:id/cancel', withGift(renderCancelForm));
  app.post(
    '/gifts/:id/cancel',
    withGift((c, { subscription }) => {
      runTransaction(() => subscriptions.cancelSubscription(subscription, now()));
      return c.redirect('/processor/portal/gifts', 303);
    }),
  );

  return app;
}
