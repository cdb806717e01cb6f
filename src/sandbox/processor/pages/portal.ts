import { Hono, type Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { isFromOwnPage, originOf, refusal } from '../../lib/request-parsing.ts';
import { EMPTY, readFilled } from '../fields.ts';
import { newSecret } from '../ids.ts';
import { noSuchPage } from './page.ts';
import {
  askAddress,
  cancelForm,
  cardForm,
  giftList,
  linkSent,
  spentLink,
  type RecurringGift,
} from './portal-pages.ts';
import type { Subscription } from '../records.ts';
import { charge } from '../test-numbers.ts';
import type { Till } from '../till.ts';
import { baseOf } from '../views.ts';

const HALF_HOUR = 30 * 60_000;
const COOKIE = 'sandbox-portal';
const RUNNING: readonly Subscription['state'][] = ['active', 'retrying', 'suspended'];

/**
 * The donor's own page: what is given regularly from an e-mail address, for whoever reads that
 * address's mails.
 */
export function portal({ ledger, subscriptions, change, now }: Till): Hono {
  const app = new Hono();
  const inHalfAnHour = (): string => new Date(now().getTime() + HALF_HOUR).toISOString();
  const giftsOf = (email: string): RecurringGift[] =>
    ledger
      .subscriptionsOf(email)
      .filter(({ state }) => RUNNING.includes(state))
      .map((subscription) => ({ subscription, first: ledger.paymentsOf(subscription.id)[0]! }));

  app.use('*', async (c, next) => {
    if (c.req.method === 'POST' && !isFromOwnPage(c.req.raw))
      throw refusal("This form was not sent by the processor's own page.", 403);
    return next();
  });

  app.get('/', (c) => askAddress(c));
  app.post('/', async (c) => {
    const { email } = await c.req.parseBody();
    const to = typeof email === 'string' ? email.trim() : '';
    if (!/^[^\s@]+@[^\s@]+$/.test(to))
      return askAddress(c, 'Please write an e-mail address, such as name@example.org.');
    if (giftsOf(to).length > 0) change(() => sendLink(c, to));
    return linkSent(c);
  });

  function sendLink(c: Context, to: string): void {
    const secret = newSecret();
    ledger.grantAccess('link', secret, to, inHalfAnHour());
    ledger.keepMail({
      to,
      subject: 'Your recurring gift',
      text: 'With this link you can change or cancel it. It works once, for 30 minutes.',
      link: `${baseOf(c)}/portal/open/${secret}`,
      created: now().toISOString(),
    });
  }

  app.get('/open/:secret', async (c) => {
    const link = c.req.param('secret');
    const email = ledger.accessOf('link', link, now().toISOString());
    const session = newSecret();
    if (email === undefined) return spentLink(c);
    change(() => {
      ledger.endAccess(link);
      ledger.grantAccess('session', session, email, inHalfAnHour());
    });
    setCookie(c, COOKIE, session, {
      path: '/processor/portal',
      httpOnly: true,
      sameSite: 'Lax',
      secure: originOf(c.req.raw).startsWith('https:'),
    });
    return c.redirect('/processor/portal/gifts', 303);
  });

  /** Does something for a donor who came by a link, with the gift that the address names. */
  const forDonor =
    (work: (c: Context, gifts: readonly RecurringGift[]) => Response | Promise<Response>) =>
    (c: Context): Response | Promise<Response> => {
      const email = ledger.accessOf('session', getCookie(c, COOKIE) ?? '', now().toISOString());
      return email === undefined ? c.redirect('/processor/portal', 303) : work(c, giftsOf(email));
    };
  const forGift = (work: (c: Context, gift: RecurringGift) => Response | Promise<Response>) =>
    forDonor((c, gifts) => {
      const gift = gifts.find(({ subscription }) => subscription.id === c.req.param('id'));
      return gift ? work(c, gift) : noSuchPage(c);
    });

  app.get(
    '/gifts',
    forDonor((c, gifts) => giftList(c, gifts)),
  );

  app.get(
    '/gifts/:id/card',
    forGift((c, gift) => cardForm(c, gift, EMPTY)),
  );
  app.post(
    '/gifts/:id/card',
    forGift(async (c, gift) => {
      const filled = readFilled(await c.req.parseBody(), ['card']);
      if (!('source' in filled)) return cardForm(c, gift, filled);
      if (charge(filled.source, false).state === 'declined')
        return cardForm(c, gift, EMPTY, 'This card was declined. Please use another one.');
      change(() => subscriptions.changeSource(gift.subscription, filled.source, now()));
      return c.redirect('/processor/portal/gifts', 303);
    }),
  );

  app.get('/gifts/:id/cancel', forGift(cancelForm));
  app.post(
    '/gifts/:id/cancel',
    forGift((c, { subscription }) => {
      change(() => subscriptions.end(subscription, now()));
      return c.redirect('/processor/portal/gifts', 303);
    }),
  );

  return app;
}
