import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { card, expect, fillCard, fillDonor, form, giveButton, test, type World } from './world.ts';

/** A page of a stranger's site. @param head what is in its head. */
function put(world: World, body: string, head = ''): string {
  const path = `/site-${world.pages.size}`;
  world.pages.set(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A site</title><link rel="icon" href="data:,">${head}<body>${body}`,
  );
  return world.page + path;
}

const script = ({ endpoint }: World, name = 'donation-form'): string =>
  `<script type="module" src="${endpoint}/${name}.js"></script>`;

/** Everything that a page complains of. */
function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => {
    errors.push(String(error));
  });
  return errors;
}

/** Counts the gifts that a page hears of. */
const listen =
  "<script>window.heard = []; addEventListener('donation-form-success', (event) => heard.push(event.reference));</script>";
const heard = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { heard: string[] }).heard);

async function give(page: Page): Promise<void> {
  await fillDonor(page);
  await card(page).getByLabel('Card number').waitFor();
  await fillCard(page);
  await giveButton(page).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
}

/** Forty kinds of elements of a site, with a style sheet of its own. */
const KINDS =
  'h1 h2 h3 h4 h5 h6 p a em strong small code pre blockquote ul ol li dl dt dd table th td caption figure figcaption label input button select textarea fieldset legend details summary progress meter article section nav aside'.split(
    ' ',
  );
const SITE = `<style>body { font: 17px/1.4 Georgia, serif; color: #234; background: #fefcf6 } a { color: teal } button { border-radius: 2px; text-transform: uppercase } input { border: 3px double }</style>${KINDS.map((kind) => (['li', 'dt', 'dd', 'th', 'td', 'caption', 'legend', 'summary', 'figcaption'].includes(kind) ? '' : `<${kind} class="own">A ${kind}</${kind}>`)).join('')}
<ul><li class="own">One</ul><dl><dt class="own">Two<dd class="own">Three</dl><table><caption class="own">Four<tr><th class="own">Five<td class="own">Six</table><fieldset><legend class="own">Seven</legend></fieldset><details><summary class="own">Eight</summary></details><figure><figcaption class="own">Nine</figcaption></figure>`;

/** What each of the site's elements looks like. */
const looks = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.own')].map(
      (element) =>
        `${element.localName}: ${[...getComputedStyle(element)].map((name) => `${name} ${getComputedStyle(element).getPropertyValue(name)}`).join('; ')}`,
    ),
  );

test("a div with data attributes becomes a form, where tags of one's own are stripped: prefilled by a link, given once, and nothing of the site looks other than before", async ({
  page,
  world,
}) => {
  const errors = errorsOf(page);
  const written = `<div data-donation-form data-endpoint="${world.endpoint}" data-amount="75" data-frequency="monthly" data-other="x"><a href="/other">Other ways to give</a></div>`;
  await page.goto(put(world, SITE));
  const before = await looks(page);
  expect(before.length).toBeGreaterThanOrEqual(40);
  await page.goto(`${put(world, SITE + written, listen + script(world))}?FName=Ana`);
  await expect(giveButton(page)).toHaveText('Give $75 every month');
  expect(await looks(page)).toEqual(before);
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  expect(
    await form(page).evaluate((element) => [
      element.parentElement!.localName,
      element.getAttributeNames().sort().join(),
      element.querySelector('a')!.textContent,
    ]),
  ).toEqual(['div', 'amount,endpoint,frequency', 'Other ways to give']);
  await page.locator('[data-donation-form]').evaluate((place) => {
    place.setAttribute('data-amount', '25');
    place.removeAttribute('data-frequency');
  });
  await expect(giveButton(page)).toHaveText('Give $25');
  await give(page);
  expect((await heard(page)).length).toBe(1);
  expect((await world.activities()).length).toBe(1);
  expect(errors).toEqual([]);
});

test('a tag manager that puts div and script into the page later, twice, gets one form; without the script its content stays', async ({
  page,
  world,
}) => {
  const errors = errorsOf(page);
  await page.goto(put(world, '<main></main>', listen));
  await page.evaluate((endpoint) => {
    const insert = (): void => {
      const element = document.createElement('script');
      element.type = 'module';
      element.src = `${endpoint}/donation-form.js`;
      document.head.append(element);
    };
    document.querySelector('main')!.innerHTML =
      `<div data-donation-form data-endpoint="${endpoint}"><a href="/other">Other ways to give</a></div>`;
    insert();
    insert();
  }, world.endpoint);
  await expect(giveButton(page)).toBeVisible();
  await page.evaluate(() => {
    document
      .querySelector('main')!
      .insertAdjacentHTML(
        'beforeend',
        '<p><span data-donation-form data-amount="150" data-url-params="off"></span></p>',
      );
  });
  await expect(form(page)).toHaveCount(2);
  await expect(form(page).nth(1).locator('button[type=submit]')).toHaveText('Give $150');
  expect(errors).toEqual([]);
  await page.route('**/donation-form.js', (route) => route.abort());
  await page.goto(
    put(
      world,
      `<div data-donation-form data-endpoint="${world.endpoint}"><a href="/other">Other ways to give</a></div>`,
      script(world),
    ),
  );
  await expect(page.getByRole('link', { name: 'Other ways to give' })).toBeVisible();
});

const linkTo = (attributes: string): string =>
  `<p>Help us.</p><donation-button ${attributes}><a href="/give">Give water</a></donation-button>`;

test('a donation button opens the form over the page, keeps what was typed when it is closed, gives, and hands focus back', async ({
  page,
  world,
}) => {
  const errors = errorsOf(page);
  await page.goto(
    put(world, linkTo('amount="75" language="de"'), listen + script(world, 'donation-button')),
  );
  const link = page.getByRole('link', { name: 'Give water' });
  const dialog = page.getByRole('dialog', { name: 'Give water' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await expect(giveButton(page)).toHaveText(/75/);
  await page.getByLabel('Vorname').fill('Ana');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(link).toBeFocused();
  await page.locator('donation-button').evaluate((button) => {
    button.setAttribute('amount', '150');
    button.removeAttribute('language');
  });
  await link.click();
  await expect(giveButton(page)).toHaveText('Give $150');
  await page.getByRole('button', { name: 'Schließen' }).click();
  await expect(dialog).toBeHidden();
  await link.click();
  await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
  expect(
    await page.evaluate(async () =>
      (
        await (
          window as unknown as {
            axe: { run: (where: string) => Promise<{ violations: { id: string }[] }> };
          }
        ).axe.run('dialog')
      ).violations.map(({ id }) => id),
    ),
  ).toEqual([]);
  await give(page);
  expect((await heard(page)).length).toBe(1);
  expect(errors).toEqual([]);
});

test("a donation button stays a link: without scripts, where the form's script does not come, and for whoever wants a new tab", async ({
  page,
  world,
  browser,
}) => {
  const address = put(
    world,
    linkTo(`endpoint="${world.endpoint}"`),
    script(world, 'donation-button'),
  );
  world.pages.set('/give', '<h1>The page where one gives</h1>');
  await page.goto(address);
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link').click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(tab.getByRole('heading', { name: 'The page where one gives' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.route('**/donation-form.js', (route) => route.abort());
  await page.reload();
  await page.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'The page where one gives' })).toBeVisible();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(address);
  await plain.getByRole('link').click();
  await expect(plain.getByRole('heading', { name: 'The page where one gives' })).toBeVisible();
  await context.close();
});

test("a donation goal shows what was raised, of how much and as of when, in the page's language, and its own content where the endpoint is silent", async ({
  page,
  world,
}) => {
  const errors = errorsOf(page);
  await page.goto(
    put(
      world,
      '<donation-goal goal="winter">We need $60,000.</donation-goal><donation-goal goal="winter" language="ar"></donation-goal>',
      script(world, 'donation-goal'),
    ),
  );
  const [first, second] = [
    page.locator('donation-goal').first(),
    page.locator('donation-goal').nth(1),
  ];
  await expect(first.locator('[part=sum]')).toHaveText('$38,400 of $60,000 raised');
  await expect(first.locator('[part=as-of]')).toHaveText(/^As of \w+ \d+, \d{4}, \d+:\d\d/);
  await expect(page.getByRole('progressbar', { name: 'Winter appeal 2026' })).toHaveJSProperty(
    'value',
    3_840_000,
  );
  expect(await second.locator('div').getAttribute('dir')).toBe('rtl');
  await expect(page.getByRole('progressbar', { name: 'نداء شتاء 2026' })).toBeVisible();
  await page.evaluate(await readFile('node_modules/axe-core/axe.min.js', 'utf8'));
  expect(
    await page.evaluate(async () =>
      (
        await (
          window as unknown as {
            axe: { run: (options: object) => Promise<{ violations: { id: string }[] }> };
          }
        ).axe.run({
          rules: {
            'page-has-heading-one': { enabled: false },
            'landmark-one-main': { enabled: false },
            region: { enabled: false },
          },
        })
      ).violations.map(({ id }) => id),
    ),
  ).toEqual([]);
  expect(errors).toEqual([]);
  await page
    .locator('donation-goal')
    .first()
    .evaluate((element) => {
      element.setAttribute('goal', 'none');
    });
  await expect.poll(() => errors.join()).toContain('No goal has this id');
  await expect(first.locator('[part=sum]')).toHaveText('$38,400 of $60,000 raised');
  await page.route('**/goal?*', (route) => route.abort());
  await page.reload();
  await expect(first).toHaveText('We need $60,000.');
});

test("a form or a goal that does not come keeps its content, and the console names the address and the page's origin", async ({
  page,
  world,
}) => {
  const errors = errorsOf(page);
  const elsewhere = put(
    world,
    '<donation-form><a href="/other-ways">Other ways</a></donation-form><donation-goal goal="winter">We need $60,000.</donation-goal>',
    script(world) + script(world, 'donation-goal'),
  ).replace('127.0.0.1', 'localhost');
  await page.goto(elsewhere);
  await expect(form(page)).toContainText('The donation form cannot be shown right now.');
  await expect(page.getByRole('link', { name: 'Other ways' })).toBeVisible();
  await expect(page.locator('donation-goal')).toHaveText('We need $60,000.');
  const { origin } = new URL(elsewhere);
  await expect
    .poll(() => errors.join('\n'))
    .toContain(
      `donation-goal: ${world.endpoint}/ gives ${origin} no figures. Check that address, and "origins"`,
    );
  expect(errors.join('\n')).toContain(
    `donation-form: ${world.endpoint}/ gives ${origin} no form. Check that address, form-id, and "origins"`,
  );

  for (const [address, said] of [
    ['https://', 'https://'],
    ['http://[give', 'http://[give/'],
    [`${world.page}/nothing`, `${world.page}/nothing/`],
  ] as const) {
    errors.length = 0;
    await page.goto(
      put(
        world,
        `<donation-form endpoint="${address}"><a href="/other-ways">Other ways</a></donation-form>`,
        script(world),
      ),
    );
    await expect(form(page)).toContainText('The donation form cannot be shown right now.');
    expect(errors.join('\n')).toContain(`donation-form: ${said} gives ${world.page} no form.`);
  }
});
