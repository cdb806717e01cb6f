import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import {
  expect,
  fillCard,
  fillDonor,
  findCardFrame,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

const readLibrary = (path: string): Promise<string> => readFile(`node_modules/${path}`, 'utf8');

/** Libraries that copy a page before the visitor leaves it, and show the copy after Back. */
const LIBRARIES: Readonly<Record<string, Promise<string>>> = {
  'Turbo 8': readLibrary('@hotwired/turbo/dist/turbo.es2017-umd.js'),
  'htmx 1.9': readLibrary('htmx-1/dist/htmx.min.js'),
  'htmx 2.0': readLibrary('htmx.org/dist/htmx.min.js'),
};

function addPage(world: World, path: string, body: string, head = ''): string {
  world.pages.set(
    path,
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ' +
      'content="width=device-width"><title>A page</title><link rel="icon" href="data:,">' +
      `${head}</head><body hx-boost="true">${body}</body></html>`,
  );
  return world.page + path;
}

/** Gives $150 with the only payment field of the page. */
async function donate(page: Page, world: World): Promise<void> {
  const charges = (await world.listCharges()).length;
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
  await fillDonor(page);
  await page.getByRole('radio', { name: '$150' }).check();
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect((await world.listCharges()).slice(charges).map(({ amount }) => amount)).toEqual([15_000]);
}

for (const [name, library] of Object.entries(LIBRARIES)) {
  test(`after ${name} restores a page, its form has one payment field and accepts a donation`, async ({
    page,
    world,
  }) => {
    world.pages.set('/library.js', await library);
    const head = '<script src="/library.js"></script>';
    const scripts = ['donation-form', 'donation-button']
      .map((script) => `<script type="module" src="${world.endpoint}/${script}.js"></script>`)
      .join('');
    addPage(
      world,
      '/other',
      '<h1>Other page</h1>',
      `${head}${scripts}<style>h1 { color: teal }</style>`,
    );
    const form = `<donation-form endpoint="${world.endpoint}"></donation-form>`;
    const button = `<donation-button endpoint="${world.endpoint}"><a href="/other">Give now</a></donation-button>`;
    const ownPopup = '<p class="donation-dialog">A popup of the theme</p>';
    await page.goto(
      addPage(
        world,
        '/own',
        `<a href="/other">Leave</a>${form}${button}${ownPopup}`,
        `${head}${scripts}<style>h1 { color: red }</style>`,
      ),
    );
    await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
    // A boosted link would open its URL instead.
    await page
      .locator('donation-button')
      .evaluate((button) => (button as HTMLElement & { open(): Promise<void> }).open());
    await expect(page.getByRole('dialog').locator('[slot=payment] iframe')).toBeVisible();
    await page.evaluate(() => {
      document.querySelector<HTMLAnchorElement>('a[href="/other"]')!.click();
    });
    await expect(page.getByRole('heading', { name: 'Other page' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('link', { name: 'Leave' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByText('A popup of the theme')).toHaveCount(1);
    await donate(page, world);
  });
}

test('a copy of a form in use has a payment field of its own', async ({ page, world }) => {
  const script = `<script type="module" src="${world.endpoint}/donation-form.js"></script>`;
  const form = `<donation-form endpoint="${world.endpoint}"></donation-form>`;
  for (const [index, copy] of [
    (place: Element) => place.replaceWith(place.cloneNode(true)),
    (place: Element) => {
      place.innerHTML += '<p>A slide</p>';
    },
  ].entries()) {
    // Within a form, because its parser drops inner forms.
    const body = `<form method="post" action="/posted"><div id="place">${form}</div></form>`;
    await page.goto(addPage(world, `/copy-${index}`, body, script));
    await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
    await page.locator('#place').evaluate(copy);
    await donate(page, world);
  }
});

test('Enter in the card field donates, and does not submit a form around the page', async ({
  page,
  world,
}) => {
  const script = `<script type="module" src="${world.endpoint}/donation-form.js"></script>`;
  const form = `<donation-form endpoint="${world.endpoint}"></donation-form>`;
  await page.goto(
    addPage(
      world,
      '/own',
      `<form method="post" action="/posted"><input name="search">${form}<button>Search</button></form>`,
      script,
    ),
  );
  await page.evaluate(() => {
    const state = window as unknown as { submitCount: number };
    state.submitCount = 0;
    addEventListener('submit', () => (state.submitCount += 1));
  });
  const cardFrame = findCardFrame(page);
  await cardFrame.getByLabel('Security code').press('Enter');
  await expect(page.getByText('Enter your first name.').first()).toBeVisible();
  await fillDonor(page);
  await fillCard(page);
  await cardFrame.getByLabel('Security code').press('Enter');
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect((await world.listCharges()).length).toBe(1);
  expect(
    await page.evaluate(() => (window as unknown as { submitCount: number }).submitCount),
  ).toBe(0);
});
