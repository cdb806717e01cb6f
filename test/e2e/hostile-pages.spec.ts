import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { inspectForm } from '../hostile-pages/inspect-form.ts';
import { type HostilePage, hostilePages, renderHostilePage } from '../hostile-pages/pages.ts';
import { scriptedPages } from '../hostile-pages/scripted-pages.ts';
import { listComputedStyles } from '../list-computed-styles.ts';
import {
  collectErrors,
  fillCard,
  fillDonor,
  findCardFrame,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

const readPackageFile = (path: string): Promise<string> => readFile(`node_modules/${path}`, 'utf8');

/** Style sheets of pages that do not expect a form. */
const STYLES: Readonly<Record<string, string | Promise<string>>> = {
  Bootstrap: readPackageFile('bootstrap/dist/css/bootstrap.min.css'),
  'Bootstrap, dark': readPackageFile('bootstrap/dist/css/bootstrap.min.css').then(
    (css) => `${css} :root { color-scheme: dark }`,
  ),
  "Tailwind's preflight": readPackageFile('tailwindcss/preflight.css'),
  'all: unset': '* { all: unset }',
  // Only Stripe.js can keep the height of its own frames.
  'all: unset !important': ':not(iframe) { all: unset !important }',
  'all: unset !important in a layer': '@layer reset { :not(iframe) { all: unset !important } }',
  'a root font size of 62.5%': 'html { font-size: 62.5% }',
  'a right-to-left page': 'html { direction: rtl }',
  'content-box, wide lines, and capitals':
    '* { box-sizing: content-box; margin: 10px; line-height: 3; text-transform: uppercase; ' +
    'letter-spacing: .3em; text-align: right; white-space: nowrap; word-spacing: 1em }',
  'a flexbox body': 'body { display: flex; width: 480px; margin: 0 }',
  'a centered grid body': 'body { display: grid; place-items: center; width: 480px; margin: 0 }',
  'hidden frames':
    'iframe { display: none; height: 10px; max-width: 50px; margin: 20px; opacity: .1; ' +
    'transform: scale(.5); pointer-events: none }',
  'hidden blocks with !important':
    'div { display: none !important; height: 10px !important; visibility: hidden !important }',
  'hidden controls':
    'input, button, label, select, fieldset, form, [part] { all: revert; display: none !important }',
};

/** Returns the style of the form's parent, unless the page's style sheet lays out its body. */
const getMainStyle = (css: string): string =>
  `font: 16px/1.5 'Noto Sans', sans-serif !important; ${css.includes('body {') ? 'display: contents' : 'display: block !important; width: 480px !important; margin: 0 !important'}`;

/** Returns a page with its own style sheet and a form in a column of 480 px. */
function renderPage({ endpoint }: World, css: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title><link rel="icon" href="data:,">
  <style>${css}</style>
  <script type="module" src="${endpoint}/donation-form.js"></script>
</head>
<body><main style="${getMainStyle(css)}"><donation-form endpoint="${endpoint}"></donation-form></main></body>
</html>`;
}

async function openPage(page: Page, world: World, css: string): Promise<void> {
  world.pages.set('/own', renderPage(world, css));
  await page.goto(`${world.page}/own`);
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
  // Off-screen frames of other origins have no layout and cannot report their height.
  await page
    .locator('[slot=payment] iframe')
    .evaluate((frame) => frame.scrollIntoView({ block: 'center', behavior: 'instant' }));
}

type Boxes = Readonly<Record<string, readonly number[]>>;

/** Returns positions relative to the form, and sizes, of its controls. */
function measureBoxes(page: Page): Promise<Boxes> {
  return findForm(page).evaluate((element) => {
    const root = element.shadowRoot!.querySelector('form')!;
    const start = root.getBoundingClientRect();
    const parts = [
      root,
      ...root.querySelectorAll('input, select, textarea, button, legend, label, .face, .hint'),
      element.querySelector('[slot=payment]')!,
      element.querySelector('[slot=payment] iframe')!,
    ];
    return Object.fromEntries(
      parts.map((part, index) => {
        const { x, y, width, height } = part.getBoundingClientRect();
        return [
          `${index} ${part.localName} ${part.textContent.trim()}`,
          [x - start.x, y - start.y, width, height],
        ];
      }),
    );
  });
}

/** Returns the boxes after the layout has settled. */
async function measureSettledBoxes(page: Page): Promise<Boxes> {
  let boxes = await measureBoxes(page);
  await expect
    .poll(
      async () => {
        const before = boxes;
        boxes = await measureBoxes(page);
        return listMovedBoxes(before, boxes);
      },
      { intervals: [100] },
    )
    .toEqual([]);
  return boxes;
}

/** Lists boxes that moved or changed size by more than 2 px. */
function listMovedBoxes(expected: Boxes, actual: Boxes): string[] {
  return Object.entries(expected)
    .filter(([name, box]) =>
      box.some((value, index) => !(Math.abs(value - (actual[name]?.[index] ?? NaN)) <= 2)),
    )
    .map(([name, box]) => `${name}: ${box.join()} became ${actual[name]?.join()}`);
}

test('the form keeps its layout on pages with hostile styles', async ({ page, world }) => {
  test.slow();
  const errors = collectErrors(page);
  await openPage(page, world, '');
  const plain = await measureSettledBoxes(page);
  expect(Object.keys(plain).length).toBeGreaterThan(30);
  for (const [name, style] of Object.entries(STYLES)) {
    const css = await style;
    // The other tests load the form with hostile styles; here they come later.
    await page.evaluate(
      ([text, mainStyle]) => {
        document.querySelector('style')!.textContent = text;
        document.querySelector('main')!.style.cssText = mainStyle;
      },
      [css, getMainStyle(css)] as const,
    );
    await expect
      .poll(async () => listMovedBoxes(plain, await measureBoxes(page)), name)
      .toEqual([]);
  }
  expect(errors).toEqual([]);
});

test('the form accepts a donation on pages that unset or hide everything', async ({
  page,
  world,
}) => {
  const errors = collectErrors(page);
  for (const names of [
    ['all: unset !important'],
    ['hidden blocks with !important', 'hidden controls'],
  ])
    await test.step(names.join(' and '), async () => {
      const styles = await Promise.all(names.map(async (name) => STYLES[name]!));
      await openPage(page, world, styles.join('\n'));
      await fillDonor(page);
      await fillCard(page);
      await findSubmitButton(page).click();
      await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    });
  expect(errors).toEqual([]);
});

const isTested = ({ isVariation = false }: HostilePage): boolean =>
  !isVariation || process.env.LONG_TESTS !== undefined;

test('the form is whole on hostile pages in two widths', async ({ page, world }) => {
  test.slow();
  for (const [index, hostilePage] of hostilePages.filter(isTested).entries()) {
    world.pages.set(`/page-${index}`, await renderHostilePage(hostilePage, world.endpoint));
    await page.setViewportSize({ width: 1_024, height: 1_500 });
    await page.goto(`${world.page}/page-${index}`);
    for (const width of [1_024, 360]) {
      await page.setViewportSize({ width, height: 1_500 });
      await expect
        .poll(() => page.evaluate(inspectForm), `${hostilePage.name}, ${width} px wide`)
        .toEqual({ isReady: true, faults: [] });
    }
  }
});

const PAGES_PER_TEST = 8;
const testedPages = scriptedPages.filter(isTested);
for (let first = 0; first < testedPages.length; first += PAGES_PER_TEST) {
  const pages = testedPages.slice(first, first + PAGES_PER_TEST);
  test(`a donation of the displayed amount succeeds on pages with hostile scripts, from ${pages[0]!.name}`, async ({
    page,
    world,
  }) => {
    test.slow();
    const amounts: number[] = [];
    for (const [index, hostilePage] of pages.entries())
      await test.step(hostilePage.name, async () => {
        const amount = 60 + index;
        world.pages.set(`/scripts-${index}`, await renderHostilePage(hostilePage, world.endpoint));
        await page.goto(`${world.page}/scripts-${index}?lastname=Souza&email=ana@example.org`);
        await expect(page.locator('[slot=payment]')).toBeAttached();
        await page.getByLabel('First name').pressSequentially('Ana');
        await page.getByLabel('First name').press('Enter');
        await expect(page.getByLabel('Last name')).toBeFocused();
        await findForm(page).locator('[name=customAmount]').fill(String(amount));
        await fillCard(page);
        await expect(findSubmitButton(page)).toHaveText(`Give $${amount}`);
        await findSubmitButton(page).click();
        await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
        await expect(findForm(page).locator('.total')).toHaveText(`$${amount}`);
        amounts.push(amount * 100);
      });
    expect((await world.listCharges()).map((charge) => charge.amount)).toEqual(amounts);
  });
}

test("the form uses the text size of its page, at least 15 px, whatever the root's font size", async ({
  page,
  world,
}) => {
  await openPage(page, world, 'html { font-size: 62.5% } body { font-size: 2rem }');
  for (const [size, least] of [
    ['1.6rem', 16],
    // Below 15 px, text would be hard to read.
    ['1.2rem', 15],
    ['2rem', 20],
  ] as const) {
    await page.locator('main').evaluate((main, fontSize) => {
      main.style.setProperty('font-size', fontSize, 'important');
    }, size);
    const getFontSize = (selector: string): Promise<number> =>
      findForm(page)
        .locator(selector)
        .first()
        .evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
    expect(await getFontSize('label')).toBe(least);
    expect(await getFontSize('button[type=submit]')).toBeCloseTo(least * 1.125);
    // iOS zooms in on fields with text smaller than 16 px.
    expect(await getFontSize('input[type=email]')).toBe(Math.max(least, 16));
  }
});

test('an English form and its card fields read left to right on a right-to-left page', async ({
  page,
  world,
}) => {
  await openPage(page, world, 'html { direction: rtl }');
  await expect.poll(() => findCardFrame(page).locator('html').getAttribute('dir')).toBe('ltr');
  await expect(page.getByText('How often?')).toHaveCSS('direction', 'ltr');
});

test("the form does not change the page's styles", async ({ page, world }) => {
  world.pages.set(
    '/bare',
    `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head><body>
    <div id="place"></div>
    <header><nav><ul><li><a href="#a">A</a></li><li><a href="#b">B</a></li></ul></nav></header>
    <main><article><h1>A</h1><h2>B</h2><h3>C</h3><p>A <strong>b</strong> <em>c</em> <code>d</code> <small>e</small> <mark>f</mark></p><hr><blockquote>A</blockquote><pre>A</pre><ol><li>A</li></ol><dl><dt>A</dt><dd>B</dd></dl>
    <figure><img alt="A"><figcaption>A</figcaption></figure><table><tbody><tr><th>A</th><td>B</td></tr></tbody></table><details open><summary>A</summary></details></article></main>
    <form><fieldset><legend>A</legend><label>A <input name="a"></label><input type="checkbox"><input type="radio"><select><option>A</option></select><textarea></textarea><button>A</button><progress></progress></fieldset></form>
    <iframe title="A"></iframe><footer><p>A</p></footer></body></html>`,
  );
  await page.goto(`${world.page}/bare`);
  await page.locator('#place').evaluate((place) => {
    place.style.cssText = 'width: 480px; height: 300px; overflow: hidden';
  });
  const readPageStyles = () =>
    page.evaluate(listComputedStyles, 'html, body, body *:not(donation-form, donation-form *)');
  const before = await readPageStyles();
  expect(before.length).toBeGreaterThanOrEqual(40);
  await page.evaluate((endpoint) => {
    const script = document.createElement('script');
    const element = document.createElement('donation-form');
    Object.assign(script, { type: 'module', src: `${endpoint}/donation-form.js` });
    element.setAttribute('endpoint', endpoint);
    document.querySelector('#place')!.append(element);
    document.head.append(script);
  }, world.endpoint);
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
  expect(await readPageStyles()).toEqual(before);
});

test('a page with subresource integrity loads the script and blocks a modified one', async ({
  page,
  world,
}) => {
  const { script, integrity } = (await (await fetch(`${world.endpoint}/embed.json`)).json()) as {
    script: string;
    integrity: string;
  };
  for (const [path, hash, isShown] of [
    ['/pinned', integrity, true],
    ['/other', integrity.replace(/^sha384-..../, 'sha384-AAAA'), false],
  ] as const) {
    world.pages.set(
      path,
      '<!doctype html><html lang="en"><title>Give</title><script type="module" ' +
        `src="${world.endpoint}/${script}" integrity="${hash}" ` +
        `crossorigin></script><body><donation-form endpoint="${world.endpoint}"><a ` +
        'href="/other-ways">Other ways to give</a></donation-form>',
    );
    await page.goto(world.page + path);
    if (isShown) await expect(findSubmitButton(page)).toBeVisible();
    else await expect(page.getByRole('link', { name: 'Other ways to give' })).toBeVisible();
  }
});
