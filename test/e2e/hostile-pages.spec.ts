import { readFile } from 'node:fs/promises';
import { expect, type Page } from 'playwright/test';
import { card, fillCard, fillDonor, form, giveButton, test, type World } from './world.ts';

const file = (path: string): Promise<string> => readFile(`node_modules/${path}`, 'utf8');

/** Style sheets of pages that were not made with a form in mind. */
const STYLES: Readonly<Record<string, string | Promise<string>>> = {
  Bootstrap: file('bootstrap/dist/css/bootstrap.min.css'),
  'Bootstrap, dark': file('bootstrap/dist/css/bootstrap.min.css').then(
    (css) => `${css} :root { color-scheme: dark }`,
  ),
  "Tailwind's preflight": file('tailwindcss/preflight.css'),
  'everything unset': '* { all: unset }',
  'everything unset, importantly': '* { all: unset !important }',
  'everything unset in a layer, importantly': '@layer reset { * { all: unset !important } }',
  'a root of 62.5 %': 'html { font-size: 62.5% }',
  'a page that reads from right to left': 'html { direction: rtl }',
  'another box, wide lines and capitals':
    '* { box-sizing: content-box; margin: 10px; line-height: 3; text-transform: uppercase; letter-spacing: .3em; text-align: right; white-space: nowrap; word-spacing: 1em }',
  'a body that is a flex box': 'body { display: flex; width: 480px; margin: 0 }',
  'a body that is a grid, with everything in its middle':
    'body { display: grid; place-items: center; width: 480px; margin: 0 }',
  'frames hidden':
    'iframe { display: none; height: 10px; max-width: 50px; margin: 20px; opacity: .1; transform: scale(.5); pointer-events: none }',
  'frames hidden, importantly':
    'iframe, div { display: none !important; height: 10px !important; visibility: hidden !important }',
  'controls hidden':
    'input, button, label, select, fieldset, form, [part] { all: revert; display: none !important }',
};

/** A page with a form in a column of 480 px, and a style sheet of its own. */
function pageWith({ endpoint }: World, css: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title><link rel="icon" href="data:,">
  <style>${css}</style>
  <script type="module" src="${endpoint}/donation-form.js"></script>
</head>
<body><main style="font: 16px/1.5 'Noto Sans', sans-serif !important; ${css.includes('body {') ? 'display: contents' : 'display: block !important; width: 480px !important; margin: 0 !important'}"><donation-form endpoint="${endpoint}"></donation-form></main></body>
</html>`;
}

async function open(page: Page, world: World, css: string): Promise<void> {
  world.pages.set('/own', pageWith(world, css));
  await page.goto(`${world.page}/own`);
  await expect(card(page).getByLabel('Card number')).toBeVisible();
  // A frame of another origin that is out of sight is not laid out, and cannot say how high it is.
  await page
    .locator('donation-form iframe')
    .evaluate((frame) => frame.scrollIntoView({ block: 'center', behavior: 'instant' }));
}

type Boxes = Readonly<Record<string, readonly number[]>>;

/** Where the form's controls are, seen from the form's own corner, and how large they are. */
function boxesIn(page: Page): Promise<Boxes> {
  return form(page).evaluate((element) => {
    const root = element.shadowRoot!.querySelector('form')!;
    const start = root.getBoundingClientRect();
    const parts = [
      root,
      ...root.querySelectorAll('input, select, textarea, button, legend, label, .face, .hint'),
      element.querySelector('[slot=payment]')!,
      element.querySelector('iframe')!,
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

/** The boxes, when nothing moves any more. */
async function settledBoxesIn(page: Page): Promise<Boxes> {
  let boxes = await boxesIn(page);
  await expect
    .poll(
      async () => {
        const before = boxes;
        boxes = await boxesIn(page);
        return moved(before, boxes);
      },
      { intervals: [100] },
    )
    .toEqual([]);
  return boxes;
}

/** What is elsewhere, or of another size, by more than 2 px. */
function moved(expected: Boxes, actual: Boxes): string[] {
  return Object.entries(expected)
    .filter(([name, box]) =>
      box.some((value, index) => !(Math.abs(value - (actual[name]?.[index] ?? NaN)) <= 2)),
    )
    .map(([name, box]) => `${name}: ${box.join()} became ${actual[name]?.join()}`);
}

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

for (const [name, css] of Object.entries(STYLES)) {
  test(`the form keeps its layout and takes a gift: ${name}`, async ({ page, world }) => {
    const errors = errorsOf(page);
    await open(page, world, '');
    const plain = await settledBoxesIn(page);
    expect(Object.keys(plain).length).toBeGreaterThan(30);
    await open(page, world, await css);
    await expect.poll(async () => moved(plain, await boxesIn(page))).toEqual([]);
    await fillDonor(page);
    await fillCard(page);
    await giveButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    expect(errors).toEqual([]);
  });
}

test('the form is as large as the text of its page, whatever the root says', async ({
  page,
  world,
}) => {
  await open(page, world, 'html { font-size: 62.5% } body { font-size: 2rem }');
  for (const [size, least] of [
    ['1.6rem', 16],
    ['1.2rem', 12],
    ['2rem', 20],
  ] as const) {
    await page.locator('main').evaluate((main, fontSize) => {
      main.style.setProperty('font-size', fontSize, 'important');
    }, size);
    const sizeOf = (selector: string): Promise<number> =>
      form(page)
        .locator(selector)
        .first()
        .evaluate((element) => parseFloat(getComputedStyle(element).fontSize));
    expect(await sizeOf('label')).toBe(least);
    expect(await sizeOf('button[type=submit]')).toBeCloseTo(least * 1.125);
    // Below 16 px, iOS zooms into a field.
    expect(await sizeOf('input[type=email]')).toBe(Math.max(least, 16));
  }
});

test("an English form reads from left to right where its page does not, and so do the card's fields", async ({
  page,
  world,
}) => {
  await open(page, world, 'html { direction: rtl }');
  await expect.poll(() => card(page).locator('html').getAttribute('dir')).toBe('ltr');
  await expect(page.getByText('How often')).toHaveCSS('direction', 'ltr');
});

test('the form changes no style of its page', async ({ page, world }) => {
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
  const stylesOfPage = () =>
    page.evaluate(() =>
      [
        document.documentElement,
        document.body,
        ...document.querySelectorAll('body *:not(donation-form, donation-form *)'),
      ].map((element) => {
        const style = getComputedStyle(element);
        return [
          element.localName,
          ...Array.from(style, (property) => `${property}: ${style.getPropertyValue(property)}`),
        ].join('\n');
      }),
    );
  const before = await stylesOfPage();
  expect(before.length).toBeGreaterThanOrEqual(40);
  await page.evaluate((endpoint) => {
    const script = document.createElement('script');
    const element = document.createElement('donation-form');
    Object.assign(script, { type: 'module', src: `${endpoint}/donation-form.js` });
    element.setAttribute('endpoint', endpoint);
    document.querySelector('#place')!.append(element);
    document.head.append(script);
  }, world.endpoint);
  await expect(card(page).getByLabel('Card number')).toBeVisible();
  expect(await stylesOfPage()).toEqual(before);
});

test('a page that pins the script to its bytes shows the form, and refuses a script of other bytes', async ({
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
      `<!doctype html><html lang="en"><title>Give</title><script type="module" src="${world.endpoint}/${script}" integrity="${hash}" crossorigin></script><body><donation-form endpoint="${world.endpoint}"><a href="/other-ways">Other ways to give</a></donation-form>`,
    );
    await page.goto(world.page + path);
    if (isShown) await expect(giveButton(page)).toBeVisible();
    else await expect(page.getByRole('link', { name: 'Other ways to give' })).toBeVisible();
  }
});
