import {
  addRecordingPage,
  donateUntilAuthentication,
  donateUntilPayPal,
  findThankYou,
  test,
} from './stripe-world.ts';
import { expect, findForm } from './world.ts';

const HASH_ROUTER = `<main></main><script type="module">
  const form = document.querySelector('donation-form');
  const route = () => document.querySelector('main').replaceChildren(
    ...(location.hash === '#/give?fund=2' ? [form] : ['Home']));
  form.remove();
  addEventListener('hashchange', route);
  route();
</script>`;
const TARGET_POPUP = '<style>donation-form:not(:target) { visibility: hidden }</style>';

for (const [name, fragment, around] of [
  ['a hash router', '#/give?fund=2', HASH_ROUTER],
  ['a :target popup', '#donate', TARGET_POPUP],
] as const) {
  test(`${name} shows the thank-you page after PayPal's page, and the URL has its fragment only`, async ({
    page,
    world,
  }) => {
    const url = addRecordingPage(world, { id: 'donate' });
    const path = new URL(url).pathname;
    world.pages.set(path, world.pages.get(path)! + around);
    await donateUntilPayPal(page, `${url}?page=1${fragment}`);
    await page.getByRole('button', { name: 'Complete' }).click();
    await expect(findThankYou(page)).toBeVisible();
    await expect(page).toHaveURL(`${url}?page=1${fragment}`);
  });
}

test('a donor who leaves PayPal for another fragment of the page stays at this fragment', async ({
  page,
  world,
}) => {
  const url = addRecordingPage(world, { id: 'donate' });
  const path = new URL(url).pathname;
  world.pages.set(path, world.pages.get(path)! + TARGET_POPUP);
  await donateUntilPayPal(page, `${url}#donate`);
  await page.goto(`${url}#faq`);
  await expect(findForm(page).locator('h2')).toHaveText('One more step');
  await expect(page).toHaveURL(`${url}#faq`);
});

test("a donor who leaves PayPal's page for another page is not sent to the old fragment later", async ({
  page,
  world,
}) => {
  const url = addRecordingPage(world);
  await donateUntilPayPal(page, `${url}#donate`);
  await page.goto(`${world.page}/style.css`);
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expect(page).toHaveURL(url);
});

test('a hash router stays at its new route after the donor leaves 3-D Secure for it', async ({
  page,
  world,
}) => {
  const url = addRecordingPage(world);
  const path = new URL(url).pathname;
  world.pages.set(
    path,
    `${world.pages.get(path)!}<main></main><script type="module">
      const original = document.querySelector('donation-form');
      const route = () => document.querySelector('main').replaceChildren(
        ...(location.hash === '#/about' ? [] : [original.cloneNode()]));
      original.remove();
      addEventListener('hashchange', route);
      route();
    </script>`,
  );
  await donateUntilAuthentication(page, `${url}#/give`);
  for (const hash of ['#/about', '#/campaign/5'])
    await page.evaluate((hash) => {
      location.hash = hash;
    }, hash);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await expect(page).toHaveURL(`${url}#/campaign/5`);
});
