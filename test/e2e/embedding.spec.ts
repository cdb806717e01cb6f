import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { listComputedStyles } from '../list-computed-styles.ts';
import { findViolations } from './find-violations.ts';
import {
  ADMIN_KEY,
  collectErrors,
  expect,
  fillCard,
  fillDonor,
  findCardFrame,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

/**
 * Adds a page to a third-party site.
 * @param head content of its head.
 */
function addPage(world: World, body: string, head = ''): string {
  const path = `/site-${world.pages.size}`;
  world.pages.set(
    path,
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" ' +
      'content="width=device-width"><title>A site</title><link rel="icon" ' +
      `href="data:,">${head}<body>${body}`,
  );
  return world.page + path;
}

const renderScriptTag = ({ endpoint }: World, name = 'donation-form'): string =>
  `<script type="module" src="${endpoint}/${name}.js"></script>`;

/** Records the donations that a page receives success events for. */
const RECORD_SUCCESS =
  "<script>window.references = []; addEventListener('donation-form-success', (event) => " +
  'references.push(event.reference));</script>';
const listRecordedReferences = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { references: string[] }).references);

async function donateByCard(page: Page): Promise<void> {
  await fillDonor(page);
  await findCardFrame(page).getByLabel('Card number').waitFor();
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeVisible();
}

/** Forty kinds of elements with the site's own style sheet. */
const ELEMENT_NAMES =
  'h1 h2 h3 h4 h5 h6 p a em strong small code pre blockquote ul ol li dl dt dd table th td caption figure figcaption label input button select textarea fieldset legend details summary progress meter article section nav aside'.split(
    ' ',
  );
const SITE_HTML = `<style>body { font: 17px/1.4 Georgia, serif; color: #234; background: #fefcf6 } a { color: teal } button { border-radius: 2px; text-transform: uppercase } input { border: 3px double }</style>${ELEMENT_NAMES.map((kind) => (['li', 'dt', 'dd', 'th', 'td', 'caption', 'legend', 'summary', 'figcaption'].includes(kind) ? '' : `<${kind} class="own">A ${kind}</${kind}>`)).join('')}
<ul><li class="own">One</ul><dl><dt class="own">Two<dd class="own">Three</dl><table><caption class="own">Four<tr><th class="own">Five<td class="own">Six</table><fieldset><legend class="own">Seven</legend></fieldset><details><summary class="own">Eight</summary></details><figure><figcaption class="own">Nine</figcaption></figure>`;

/** Returns the computed styles of the site's elements. */
const readStyles = (page: Page): Promise<string[]> => page.evaluate(listComputedStyles, '.own');

test("a div with data attributes becomes a prefilled form, charges once, and leaves the site's styles alone", async ({
  page,
  world,
}) => {
  const errors = collectErrors(page);
  const markup =
    `<div data-donation-form data-endpoint="${world.endpoint}" data-amount="75" ` +
    'data-frequency="monthly" data-other="x"><a href="/other">Other ways to give</a></div>';
  await page.goto(addPage(world, SITE_HTML));
  const before = await readStyles(page);
  expect(before.length).toBeGreaterThanOrEqual(40);
  await page.goto(
    `${addPage(world, SITE_HTML + markup, RECORD_SUCCESS + renderScriptTag(world))}?FName=Ana`,
  );
  await expect(findSubmitButton(page)).toHaveText('Give $75 a month');
  expect(await readStyles(page)).toEqual(before);
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  expect(
    await findForm(page).evaluate((element) => [
      element.parentElement!.localName,
      element.getAttributeNames().sort().join(),
      element.querySelector('a')!.textContent,
    ]),
  ).toEqual(['div', 'amount,endpoint,frequency', 'Other ways to give']);
  await page.locator('[data-donation-form]').evaluate((place) => {
    place.setAttribute('data-amount', '25');
    place.removeAttribute('data-frequency');
  });
  await expect(findSubmitButton(page)).toHaveText('Give $25');
  await donateByCard(page);
  await expect.poll(async () => (await listRecordedReferences(page)).length).toBe(1);
  expect((await world.listActivities()).length).toBe(1);
  expect(errors).toEqual([]);
});

test('a donation from another origin succeeds if the browser wrongly reports no connection', async ({
  page,
  world,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'onLine', { value: false });
  });
  await page.goto(
    addPage(
      world,
      `<donation-form endpoint="${world.endpoint}"></donation-form>`,
      renderScriptTag(world),
    ),
  );
  await donateByCard(page);
  expect((await world.listActivities()).length).toBe(1);
});

test('a tag manager that inserts div and script twice gets one form; without the script the content stays', async ({
  page,
  world,
}) => {
  const errors = collectErrors(page);
  await page.goto(addPage(world, '<main></main>', RECORD_SUCCESS));
  await page.evaluate((endpoint) => {
    const insertScript = (): void => {
      const element = document.createElement('script');
      element.type = 'module';
      element.src = `${endpoint}/donation-form.js`;
      document.head.append(element);
    };
    document.querySelector('main')!.innerHTML =
      `<div data-donation-form data-endpoint="${endpoint}"><a href="/other">Other ways to give</a></div>`;
    insertScript();
    insertScript();
  }, world.endpoint);
  await expect(findSubmitButton(page)).toBeVisible();
  await page.evaluate(() => {
    document
      .querySelector('main')!
      .insertAdjacentHTML(
        'beforeend',
        '<p><span data-donation-form data-amount="150" data-url-params="off"></span></p>',
      );
  });
  await expect(findForm(page)).toHaveCount(2);
  await expect(findForm(page).nth(1).locator('button[type=submit]')).toHaveText('Give $150');
  expect(errors).toEqual([]);
  await page.route('**/donation-form.js*', (route) => route.abort());
  await page.goto(
    addPage(
      world,
      `<div data-donation-form data-endpoint="${world.endpoint}"><a href="/other">Other ways to give</a></div>`,
      renderScriptTag(world),
    ),
  );
  await expect(page.getByRole('link', { name: 'Other ways to give' })).toBeVisible();
});

interface Opener {
  open(): Promise<void>;
}

const renderButton = (attributes: string): string =>
  `<p>Help us.</p><donation-button ${attributes}><a href="/give">Give water</a></donation-button>`;

test('a donation button opens the form in a dialog, keeps its input when closed, and returns focus', async ({
  page,
  world,
}) => {
  const errors = collectErrors(page);
  await page.goto(
    addPage(
      world,
      renderButton('amount="75" language="de"'),
      RECORD_SUCCESS + renderScriptTag(world, 'donation-button'),
    ),
  );
  const link = page.getByRole('link', { name: 'Give water' });
  const dialog = page.getByRole('dialog', { name: 'Give water' });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeVisible();
  await expect(findSubmitButton(page)).toHaveText(/75/);
  await page.getByLabel('Vorname').fill('Ana');
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Formular schließen?' });
  await expect(question).toHaveAttribute('lang', 'de');
  await question.getByText('Schließen').last().click();
  await expect(dialog).toBeHidden();
  await expect(link).toBeFocused();
  await page.locator('donation-button').evaluate((button) => {
    button.setAttribute('amount', '150');
    button.removeAttribute('language');
  });
  await link.click();
  await expect(findSubmitButton(page)).toHaveText('Give $150');
  await page.getByRole('button', { name: 'Schließen' }).click();
  await expect(dialog).toBeHidden();
  await link.click();
  expect(await findViolations(page, {}, 'dialog')).toEqual([]);
  await donateByCard(page);
  await expect.poll(async () => (await listRecordedReferences(page)).length).toBe(1);
  expect(errors).toEqual([]);
});

/** Opens the dialog of a donation button. */
async function openDialog(page: Page, world: World): Promise<Locator> {
  await page.goto(addPage(world, renderButton(''), renderScriptTag(world, 'donation-button')));
  await page.getByRole('link', { name: 'Give water' }).click();
  await expect(findSubmitButton(page)).toBeVisible();
  return page.getByRole('dialog', { name: 'Give water' });
}

test('the dialog of a donation button closes after a click outside it, but not after a click in its padding or a drag', async ({
  page,
  world,
}) => {
  const dialog = await openDialog(page, world);
  const { x, y, height } = (await dialog.boundingBox())!;
  const outside = { x: x / 2, y: y + height / 2 };
  await page.mouse.click(x + 5, outside.y);
  await expect(dialog).toBeVisible();
  const firstName = (await page.getByLabel('First name').boundingBox())!;
  await page.mouse.move(firstName.x + 5, firstName.y + 5);
  await page.mouse.down();
  await page.mouse.move(outside.x, outside.y);
  await page.mouse.up();
  await expect(dialog).toBeVisible();
  await page.mouse.down();
  await page.mouse.move(x + 5, outside.y);
  await page.mouse.up();
  await expect(dialog).toBeVisible();
  await page.mouse.click(outside.x, outside.y);
  await expect(dialog).toBeHidden();
});

const pressOutside = async (page: Page): Promise<void> => {
  const { x, y } = (await page.getByRole('dialog').first().boundingBox())!;
  await page.mouse.click(x / 2, y + 100);
};

test('the dialog closes with Escape, Back, a press outside, and its button, and asks only if something was typed', async ({
  page,
  world,
}) => {
  const ways: readonly ((page: Page) => Promise<unknown>)[] = [
    () => page.keyboard.press('Escape'),
    () => page.evaluate(() => history.back()),
    () => pressOutside(page),
    () => page.getByRole('button', { name: 'Close' }).first().click(),
  ];
  const dialog = await openDialog(page, world);
  const link = page.getByRole('link', { name: 'Give water' });
  const question = page.getByRole('dialog', { name: 'Close the form?' });
  const expectPageState = () =>
    expect.poll(() => page.evaluate(() => history.state as unknown)).toEqual({ router: 1 });
  await page.evaluate(() => {
    history.replaceState({ router: 1 }, '');
    addEventListener('popstate', ({ state }) => {
      if (state) document.title = 'The router rendered the page again';
    });
  });
  for (const close of ways) {
    await page.locator('[name=amount][value="1"]').check({ force: true });
    await close(page);
    await expect(dialog).toBeHidden();
    await link.click();
    await page.getByLabel('First name').fill('Ana');
    await close(page);
    await question.getByRole('button', { name: 'Continue giving' }).click();
    await expect(dialog).toBeVisible();
    await close(page);
    await question.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
    await expectPageState();
    await link.click();
    await expect(dialog).toBeVisible();
    await expect(page.getByLabel('First name')).toHaveValue('Ana');
    expect(await page.title()).not.toContain('The router');
  }
  await page.reload();
  await link.click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expectPageState();
  await link.click();
  await expect(dialog).toBeVisible();
  await page.evaluate(() => {
    history.pushState({ router: 2 }, '');
    document.querySelector('donation-button')!.remove();
  });
  await expect(dialog).toHaveCount(0);
  await page.evaluate(() => history.go(-2));
  await expectPageState();
});

for (const state of [{ router: 1 }, null])
  test(`after a reload with an open dialog, Back leads to the page with its own state, ${JSON.stringify(state)}`, async ({
    page,
    world,
  }) => {
    const dialog = await openDialog(page, world);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await page.evaluate((value) => history.replaceState(value, '', '#page'), state);
    await page.getByRole('link', { name: 'Give water' }).click();
    await expect(dialog).toBeVisible();
    await page.evaluate(() => history.replaceState(history.state, '', '#dialog'));
    await page.reload();
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL(/#page$/);
    await expect.poll(() => page.evaluate(() => history.state as unknown)).toEqual(state);
  });

test('with two donation buttons, Back closes only the last open dialog, also right after another one closed', async ({
  page,
  world,
}) => {
  const buttons = ['water', 'light'].map(
    (name) => `<donation-button id="${name}"><a href="/give">Give ${name}</a></donation-button>`,
  );
  await page.goto(addPage(world, buttons.join(''), renderScriptTag(world, 'donation-button')));
  const [water, light] = ['water', 'light'].map((name) =>
    page.getByRole('dialog', { name: `Give ${name}` }),
  ) as [Locator, Locator];
  const goBack = () => page.evaluate(() => history.back());
  const openForm = (id: string) =>
    page.locator(`#${id}`).evaluate((button) => (button as HTMLElement & Opener).open());
  await page.evaluate(() => history.replaceState({ router: 1 }, ''));
  await openForm('light');
  await goBack();
  await expect(light).toBeHidden();
  await openForm('water');
  await openForm('light');
  await goBack();
  await expect(light).toBeHidden();
  await expect(water).toBeVisible();

  await water.evaluate(async (dialog) => {
    const leaving = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
    const button = document.querySelector<HTMLElement & Opener>('#light')!;
    const opening = new Promise<void>((resolve) =>
      dialog.addEventListener('close', () => void button.open().then(resolve), { once: true }),
    );
    dialog.querySelector<HTMLElement>('button')!.click();
    await Promise.all([leaving, opening]);
  });
  await expect(light).toBeVisible();
  await goBack();
  await expect(light).toBeHidden();
  await expect.poll(() => page.evaluate(() => history.state as unknown)).toEqual({ router: 1 });
});

test('on a phone, the dialog is a full sheet whose button stays in view and covers no field in focus', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 390, height: 700 });
  const dialog = await openDialog(page, world);
  const button = findSubmitButton(page);
  expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 700 });
  await expect(dialog.getByRole('heading', { name: 'Give water' })).toBeInViewport({ ratio: 1 });
  await expect(button).toBeInViewport({ ratio: 1 });
  const fields = await page.locator('donation-form').locator('input, select, textarea').all();
  for (const field of fields) {
    await field.focus();
    const [box, bar] = [(await field.boundingBox())!, (await button.boundingBox())!];
    const isCovered = box.y < bar.y + bar.height && box.y + box.height > bar.y;
    expect(isCovered, await field.evaluate(({ outerHTML }) => outerHTML)).toBe(false);
  }
});

for (const [width, height, direction] of [
  [390, 844, 'rtl'],
  [1_280, 720, 'ltr'],
] as const)
  test(`the dialog's close button is above the form at ${width} px (${direction}), and stays in view while the donor scrolls`, async ({
    page,
    world,
  }) => {
    await page.setViewportSize({ width, height });
    const dialog = await openDialog(page, world);
    await page.evaluate((dir) => {
      document.documentElement.dir = dir;
    }, direction);
    const close = dialog.getByRole('button', { name: 'Close' });
    const button = (await close.boundingBox())!;
    const form = (await dialog.locator('donation-form').boundingBox())!;
    expect(button.y + button.height).toBeLessThanOrEqual(form.y);
    await dialog.evaluate((element) => element.scrollTo({ top: 300, behavior: 'instant' }));
    await expect.poll(() => dialog.evaluate((element) => element.scrollTop)).toBe(300);
    expect(await close.boundingBox()).toEqual(button);
  });

test('a donation button keeps its open form and its input when the page moves the button', async ({
  page,
  world,
}) => {
  const dialog = await openDialog(page, world);
  await page.getByLabel('First name').fill('Ana');
  await page.evaluate(() => document.body.append(document.querySelector('donation-button')!));
  await expect(page.getByLabel('First name')).toHaveValue('Ana');
  await expect(dialog).toBeVisible();
  await page.evaluate(() => document.querySelector('donation-button')!.remove());
  await expect(dialog).toHaveCount(0);
});

test('a donation button remains a link without scripts, if the form fails to load, and for new tabs', async ({
  page,
  world,
  browser,
}) => {
  const url = addPage(
    world,
    renderButton(`endpoint="${world.endpoint}"`),
    renderScriptTag(world, 'donation-button'),
  );
  world.pages.set('/give', '<h1>The donation page</h1>');
  await page.goto(url);
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link').click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(tab.getByRole('heading', { name: 'The donation page' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.route('**/donation-form.js*', (route) => route.abort());
  await page.reload();
  await page.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'The donation page' })).toBeVisible();
  await page.unroute('**/donation-form.js*');
  await page.goto(
    addPage(
      world,
      renderButton('endpoint="https://"'),
      renderScriptTag(world, 'donation-form') + renderScriptTag(world, 'donation-button'),
    ),
  );
  await page.evaluate(() =>
    Promise.all(
      ['donation-button', 'donation-form'].map((name) => customElements.whenDefined(name)),
    ),
  );
  await page.getByRole('link').click();
  await expect(page.getByRole('heading', { name: 'The donation page' })).toBeVisible();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(url);
  await plain.getByRole('link').click();
  await expect(plain.getByRole('heading', { name: 'The donation page' })).toBeVisible();
  await context.close();
});

test("a donation goal shows amounts and date in the page's language, or its own content if the endpoint is down", async ({
  page,
  world,
}) => {
  const errors = collectErrors(page);
  await page.goto(
    addPage(
      world,
      '<donation-goal goal="winter">We need $60,000.</donation-goal><donation-goal ' +
        'goal="winter" language="ar"></donation-goal>',
      renderScriptTag(world, 'donation-goal'),
    ),
  );
  const [first, second] = [
    page.locator('donation-goal').first(),
    page.locator('donation-goal').nth(1),
  ];
  await expect(first.locator('[part=amount]')).toHaveText('$38,400 of $60,000 raised');
  await expect(first.locator('[part=as-of]')).toHaveText(/^As of [A-Z][a-z]+ \d+, \d{4}$/);
  await expect(page.getByRole('progressbar', { name: 'Winter appeal 2026' })).toHaveJSProperty(
    'value',
    3_840_000,
  );
  expect(await second.locator('div').getAttribute('dir')).toBe('rtl');
  await expect(page.getByRole('progressbar', { name: 'نداء شتاء 2026' })).toBeVisible();
  expect(
    await findViolations(page, {
      rules: {
        'page-has-heading-one': { enabled: false },
        'landmark-one-main': { enabled: false },
        region: { enabled: false },
      },
    }),
  ).toEqual([]);
  expect(errors).toEqual([]);
  await page
    .locator('donation-goal')
    .first()
    .evaluate((element) => {
      element.setAttribute('goal', 'none');
    });
  await expect.poll(() => errors.join()).toContain('No goal has this ID');
  await expect(first.locator('[part=amount]')).toHaveText('$38,400 of $60,000 raised');
  await page.route('**/goal?*', (route) => route.abort());
  await page.reload();
  await expect(first).toHaveText('We need $60,000.');
});

test("a form or goal that fails to load keeps its content and logs the endpoint's URL and the page's origin", async ({
  page,
  world,
}) => {
  const errors = collectErrors(page);
  const elsewhere = addPage(
    world,
    '<donation-form><a href="/other-ways">Other ways</a></donation-form><donation-goal ' +
      'goal="winter">We need $60,000.</donation-goal>',
    renderScriptTag(world) + renderScriptTag(world, 'donation-goal'),
  ).replace('127.0.0.1', 'localhost');
  await page.goto(elsewhere);
  await expect(findForm(page)).toContainText("We couldn't load the donation form.");
  await expect(page.getByRole('link', { name: 'Other ways' })).toBeVisible();
  await expect(page.locator('donation-goal')).toHaveText('We need $60,000.');
  const { origin } = new URL(elsewhere);
  await expect
    .poll(() => errors.join('\n'))
    .toContain(
      `donation-goal: Cannot load the goal from ${world.endpoint}/. Check that the endpoint ` +
        `attribute is correct and that "origins" in the server's configuration includes ${origin}.`,
    );
});

test('a form that fails to load logs the cause and shows it in the debug panel', async ({
  page,
  world,
  violations,
}) => {
  const errors = collectErrors(page);
  const expectCause = async (url: string, cause: string, message: string): Promise<void> => {
    errors.length = 0;
    await page.goto(`${url}?donation-form-debug`);
    await expect(findForm(page)).toContainText("We couldn't load the donation form.");
    await expect(page.locator('donation-form [part=debug]')).toContainText(`${cause}: `);
    await expect(page.locator('donation-form [part=debug]')).toContainText(message);
    const line = errors.find((text) => text.startsWith('donation-form: '));
    expect(line).toContain(message);
    expect(line).toContain(`(${cause})`);
  };
  const addForm = (attributes: string, head = ''): string =>
    addPage(world, `<donation-form ${attributes}></donation-form>`, renderScriptTag(world) + head);

  const elsewhere = addForm('').replace('127.0.0.1', 'localhost');
  await expectCause(
    elsewhere,
    'origin-not-allowed',
    `Add "${new URL(elsewhere).origin}" to "origins"`,
  );
  await expectCause(addForm('form-id="absent"'), 'form-not-found', 'has no form "absent"');
  await expectCause(
    addForm(`endpoint="${world.page}/nothing"`),
    'not-an-endpoint',
    `${world.page}/nothing/ returned status 404`,
  );
  for (const endpoint of ['https://', 'http://[give', 'mailto:give@example.org'])
    await expectCause(addForm(`endpoint="${endpoint}"`), 'invalid-endpoint', endpoint);
  await page.route('https://give.invalid/**', (route) =>
    route.fulfill({
      status: 404,
      headers: { 'Access-Control-Allow-Origin': '*' },
      json: { failure: 'cors', isForm: true },
    }),
  );
  await expectCause(
    addForm('endpoint="https://give.invalid"'),
    'not-an-endpoint',
    'https://give.invalid/ returned status 404',
  );
  await page.route('https://give.invalid/**', (route) => route.abort('blockedbyclient'));
  await expectCause(
    addForm('endpoint="https://give.invalid"'),
    'no-response',
    'Open https://give.invalid/healthz in a new tab',
  );
  await expectCause(
    addForm('', `<meta http-equiv="Content-Security-Policy" content="connect-src 'self'">`),
    'blocked-by-policy',
    `Add ${world.endpoint} to the connect-src directive`,
  );
  violations.length = 0;

  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  try {
    const file = join(folder, 'page.html');
    await writeFile(file, `${renderScriptTag(world)}<donation-form></donation-form>`);
    await expectCause(`file://${file}`, 'file-page', 'A page opened from disk');
  } finally {
    await rm(folder, { recursive: true });
  }

  const setPaused = (action: 'pause' | 'resume'): Promise<Response> =>
    fetch(`${world.admin}/api/organizations/lanternwell/${action}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
      body: JSON.stringify({ by: 'Ana' }),
    });
  await setPaused('pause');
  await expectCause(addForm(''), 'paused', 'The organization is paused');
  await setPaused('resume');
});

test('the debug panel explains why a form is not visible although its script runs', async ({
  context,
  world,
}) => {
  const form = `<donation-form endpoint="${world.endpoint}"></donation-form>`;
  const old = '/old/donation-form.js';
  world.pages.set(old, "customElements.define('donation-form', class extends HTMLElement {})");
  const script = renderScriptTag(world);
  const openPage = async (body: string, head = script): Promise<Locator> => {
    const page = await context.newPage();
    await page.goto(`${addPage(world, body, head)}?donation-form-debug`);
    return page.locator('#donation-form-debug');
  };
  const visible = openPage(form);
  const sameScriptTwice = openPage(
    form,
    `${script}<script type="module" src="${world.endpoint}/embed/main.js"></script>`,
  );
  const strictDynamic = openPage(
    form,
    `<meta http-equiv="Content-Security-Policy" content="script-src 'nonce-a' 'strict-dynamic'" />
    <script type="module" nonce="a" src="${world.endpoint}/donation-form.js"></script>`,
  );
  const panels = await Promise.all([
    openPage('<p>Please give.</p>'),
    openPage(`<div style="display: none">${form}</div>`),
    openPage(form, `<script type="module" src="${old}"></script>${script}`),
  ]);
  for (const [index, cause] of ['element-missing', 'form-hidden', 'two-versions'].entries()) {
    const panel = panels[index]!;
    await expect(panel).toContainText(`${cause}: `);
    await expect(panel).toContainText(/send this message to/i);
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect(panel).toHaveCount(0);
  }
  // These pages were opened first, so their panels would be there by now.
  await expect(await visible).toHaveCount(0);
  await expect(await sameScriptTwice).toHaveCount(0);
  await expect(await strictDynamic).toHaveCount(0);
});

for (const { blocked, policy, expected } of [
  {
    blocked: 'the requests of a visible form',
    policy: ({ page }) => `connect-src ${page}`,
    expected: ({ endpoint }) => [
      'blocked-by-policy: ',
      `Add ${endpoint} to the connect-src directive`,
    ],
  },
  {
    blocked: "the payment provider's script",
    policy: ({ endpoint }) => `script-src ${endpoint}`,
    expected: ({ sandbox }) => [
      "blocks the form's payment fields",
      `Add ${sandbox} to the script-src directive`,
    ],
  },
] satisfies {
  readonly blocked: string;
  /** Returns the page's Content-Security-Policy. */
  readonly policy: (world: World) => string;
  readonly expected: (world: World) => readonly string[];
}[])
  test(`the debug panel says if the page's policy blocks ${blocked}`, async ({
    page,
    world,
    violations,
  }) => {
    const url = addPage(
      world,
      '<donation-form form-id="main"></donation-form>',
      `<meta http-equiv="Content-Security-Policy" content="${policy(world)}" />
      <script type="module" src="${world.endpoint}/embed/main.js"></script>`,
    );
    await page.goto(`${url}?donation-form-debug`);
    await expect(findSubmitButton(page)).toBeVisible();
    const panel = page.locator('#donation-form-debug');
    for (const text of expected(world)) await expect(panel).toContainText(text);
    violations.length = 0;
  });
