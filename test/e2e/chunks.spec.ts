import { readdirSync } from 'node:fs';
import type { Page } from 'playwright/test';
import { CARDS } from '../fake-stripe.ts';
import { fillStripeCard, findThankYou, listChargedAmounts, test } from './stripe-world.ts';
import { addFormPage, expect, fillDonor, findForm, findSubmitButton } from './world.ts';

const LANGUAGE = 'en-GB';
/** The script's chunks, with one of the translations, which all load in the same way. */
const CHUNKS = readdirSync('dist/donation-form/scripts').filter((name) =>
  /^donation-form\.([a-z-]+-\w{8}|\w{8}-en-GB)\.js$/.test(name),
);

const findTryAgain = (page: Page) => findForm(page).getByRole('button', { name: 'Try again' });
const findNotice = (page: Page) => findForm(page).locator('#notice');

test.use({
  methods: ['card', 'link', 'paypal'],
  form: {
    donorFields: {
      firstName: 'required',
      lastName: 'required',
      email: 'required',
      country: 'optional',
    },
    texts: { [LANGUAGE]: { give: 'Give us {amount}' } },
  },
});

test('a donor gives although the first request of Stripe.js and of every chunk is answered 503 or breaks off', async ({
  page,
  world,
  stripe,
}) => {
  const failed: string[] = [];
  const loaded: string[] = [];
  await page.route('**/donation-form.*-*.js*', async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (failed.includes(name)) {
      loaded.push(name);
      return route.continue();
    }
    failed.push(name);
    return CHUNKS.indexOf(name) % 2 === 0
      ? route.fulfill({ status: 503, contentType: 'text/javascript' })
      : route.abort();
  });
  await page.route('https://js.stripe.com/**', (route) => route.abort(), { times: 1 });
  // The form requires a proof of work, and its definition fails once.
  await page.route('**/challenge?*', (route) =>
    route.fulfill({ json: {}, headers: { 'Access-Control-Allow-Origin': '*' } }),
  );
  await page.route('**/form?*', (route) => route.abort(), { times: 1 });
  const url = addFormPage(
    world,
    { language: LANGUAGE },
    '<script>window.ServiceDonorsForms = { settings: { onLoad() { throw new Error("page") } } };</script>',
  );
  await page.goto(`${url}?amount=75&donation-form-debug`);
  await findTryAgain(page).click();
  // The form checks the email only after the script that shows the card field has loaded.
  await fillStripeCard(page, CARDS.good);
  await fillDonor(page);
  // The debug panel of the page can cover the button.
  await findSubmitButton(page).press('Enter');
  await expect(findThankYou(page)).toHaveText('Thank you, Ana!');
  expect(listChargedAmounts(stripe)).toEqual([7_500]);
  await expect.poll(() => loaded.toSorted()).toEqual(CHUNKS.toSorted());
});

test(
  'a donor tries again after each outage in which a chunk cannot load, and gives',
  { tag: '@chromium' },
  async ({ page, world, stripe }) => {
    const startOutage = async (chunk: string): Promise<() => Promise<void>> => {
      const pattern = `**/donation-form.${chunk}-*`;
      await page.route(pattern, (route) => route.abort());
      return () => page.unroute(pattern);
    };
    const [restoreSections, restoreSubmission, restoreScreens] = [
      await startOutage('optional-sections'),
      await startOutage('lazy'),
      await startOutage('next-steps'),
    ];
    await startOutage('wallet-payment');
    await page.goto(addFormPage(world, {}));
    await expect(findTryAgain(page)).toBeVisible();
    await restoreSections();
    await findTryAgain(page).click();
    await fillDonor(page);
    await expect(findNotice(page)).toContainText("We couldn't load the payment form.");
    await restoreSubmission();
    await findSubmitButton(page).click();
    await fillStripeCard(page, CARDS.good);
    await expect(findForm(page).getByRole('radio', { name: 'PayPal' })).toBeAttached();
    await findSubmitButton(page).click();
    await expect(findNotice(page)).toContainText("You haven't been charged. We couldn't reach");
    expect(stripe.listPaymentIntents()).toEqual([]);
    await restoreScreens();
    await findSubmitButton(page).click();
    await expect(findThankYou(page)).toHaveText('Thank you, Ana!');
    expect(listChargedAmounts(stripe)).toEqual([5_000]);
  },
);

test(
  'a donor who goes offline before the last chunk has loaded fills in the form, and reads no notice when back online',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.route('**/donation-form.next-steps-*', (route) => route.abort());
    const breakStripe = Promise.withResolvers<undefined>();
    await page.route(
      'https://js.stripe.com/**',
      async (route) => {
        await breakStripe.promise;
        await route.abort();
      },
      { times: 1 },
    );
    const errors: string[] = [];
    await page.exposeFunction('reportError', (code: string) => errors.push(code));
    await page.addInitScript(
      "addEventListener('donation-form-error', ({ code }) => reportError(code));",
    );
    const loading = page.waitForRequest('https://js.stripe.com/**');
    await page.goto(addFormPage(world, {}));
    await findForm(page).getByRole('textbox', { name: 'Email' }).focus();
    await loading;
    await page.context().setOffline(true);
    breakStripe.resolve(undefined);
    await expect(findNotice(page)).toContainText("We couldn't load the payment form.");
    await fillDonor(page);
    expect(errors).toEqual([]);
    await page.context().setOffline(false);
    await expect(findNotice(page)).toHaveCount(0);
  },
);

test(
  'a donation button opens the form although the first request of its script breaks off',
  { tag: '@chromium' },
  async ({ page, world }) => {
    const script = `${world.endpoint}/donation-button.js`;
    world.pages.set(
      '/button',
      `<!doctype html><html lang="en"><title>Give</title><script type="module" src="${script}"></script>` +
        '<body><donation-button><a href="/give">Give water</a></donation-button>',
    );
    await page.route('**/donation-form.js*', (route) => route.abort(), { times: 1 });
    await page.goto(`${world.page}/button`);
    await page.getByRole('link', { name: 'Give water' }).click();
    await fillDonor(page);
  },
);

test(
  'what follows a submission loads after the payment field, which needs the network first',
  { tag: '@chromium' },
  async ({ page, world }) => {
    const order: string[] = [];
    await page.route('https://js.stripe.com/**', async (route) => {
      // The form has started its other work, the browser has been idle, and requests have arrived.
      await page.evaluate(async () => {
        if (!document.querySelector('[slot=payment]'))
          await new Promise((resolve) => {
            addEventListener('donation-form-ready', resolve);
          });
        await new Promise((resolve) => {
          requestIdleCallback(() => requestIdleCallback(resolve));
        });
        await fetch(location.href);
      });
      order.push('Stripe.js');
      await route.fallback();
    });
    await page.route('**/donation-form.next-steps-*', (route) => {
      order.push('next steps');
      return route.continue();
    });
    await page.goto(addFormPage(world, {}));
    await expect.poll(() => order).toEqual(['Stripe.js', 'next steps']);
  },
);
