import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from 'playwright/test';
import {
  addFormPage,
  fillCard,
  fillDonor,
  findCardFrame,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

const THEMES = [
  'theme-warm-paper',
  'theme-soft-meadow',
  'theme-sharp-ink',
  'theme-bright-coral',
  'theme-bare',
];

async function openThemes(page: Page, world: World): Promise<void> {
  await page.goto(`${world.page}/themes.html`);
  for (const theme of THEMES) {
    // The payment field loads when it comes near the viewport.
    await page.locator(`.${theme} button[type=submit]`).scrollIntoViewIfNeeded();
    await expect(findCardFrame(page.locator(`.${theme}`)).getByLabel('Card number')).toBeVisible();
  }
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** Changes the system's colors, and waits until the payment fields have followed. */
async function emulateScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  for (const field of await page.locator('[slot=payment] iframe').all())
    await expect
      .poll(() =>
        field
          .contentFrame()
          .locator('html')
          .evaluate((root) => root.style.colorScheme),
      )
      .toBe(colorScheme);
}

/**
 * Lists axe's contrast violations, including those in the card frames.
 * @param rule `color-contrast` for level AA, `color-contrast-enhanced` for level AAA.
 * @param leastTexts number of texts that axe must have checked.
 */
async function findContrastProblems(
  page: Page,
  rule: 'color-contrast' | 'color-contrast-enhanced',
  leastTexts: number,
): Promise<string[]> {
  const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  for (const frame of page.frames()) await frame.evaluate(axe);
  return page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run: (
            options: object,
          ) => Promise<
            Record<
              'violations' | 'incomplete' | 'passes',
              { nodes: { html: string; any: { message: string }[] }[] }[]
            >
          >;
        };
      };
      const { violations, passes } = await axe.run({
        runOnly: [options.rule],
        rules: { [options.rule]: { enabled: true } },
      });
      if (!passes.some(({ nodes }) => nodes.length >= options.leastTexts))
        return ['axe checked no text'];
      return violations.flatMap(({ nodes }) =>
        nodes.map(({ html, any }) => `${html}: ${any.map(({ message }) => message).join()}`),
      );
    },
    { rule, leastTexts },
  );
}

test('every theme has sufficient contrast, including error messages, light and dark', async ({
  page,
  world,
}) => {
  test.slow();
  await openThemes(page, world);
  for (const theme of THEMES) {
    await page.locator(`.${theme} button[type=submit]`).click();
    await expect(page.locator(`.${theme} #notice`)).toBeVisible();
  }
  for (const scheme of ['light', 'dark'] as const)
    await test.step(scheme, async () => {
      await emulateScheme(page, scheme);
      expect(await findContrastProblems(page, 'color-contrast', 100)).toEqual([]);
    });
});

test('text in the default theme has AAA contrast, from the empty form to the thank-you page, light and dark', async ({
  page,
  world,
}) => {
  const expectContrast = async (leastTexts = 15): Promise<void> => {
    for (const scheme of ['light', 'dark'] as const) {
      await emulateScheme(page, scheme);
      expect(await findContrastProblems(page, 'color-contrast-enhanced', leastTexts)).toEqual([]);
    }
  };
  await page.goto(addFormPage(world, {}, '<style>:root { color-scheme: light dark }</style>'));
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
  await expectContrast();
  await findSubmitButton(page).click();
  await expect(findForm(page).locator('#notice')).toBeVisible();
  await expectContrast();
  await page.getByRole('radio', { name: 'Monthly' }).check();
  await fillDonor(page);
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  await expectContrast(5);
});

test('the page shows all themes at every width, which follow a switch, and give way to the page', async ({
  page,
  world,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_440, height: 900 });
  await openThemes(page, world);
  for (const width of [360, 768, 1_440])
    await test.step(`${width} px wide`, async () => {
      await page.setViewportSize({ width, height: 900 });
      const boxes = await Promise.all(
        THEMES.map((theme) => page.locator(`.${theme}`).boundingBox()),
      );
      for (const box of boxes) {
        expect(box!.x).toBeGreaterThanOrEqual(0);
        expect(box!.x + box!.width).toBeLessThanOrEqual(width);
      }
      const rows = new Set(boxes.map((box) => Math.round(box!.y)));
      if (width === 1_440) expect(rows.size).toBe(1);
      await page.getByRole('link', { name: 'Bright coral' }).click();
      await expect(page.getByRole('heading', { name: 'Bright coral' })).toBeInViewport({
        ratio: 1,
      });
      await expect(page.locator('.theme-bright-coral')).toBeInViewport();
      await page.evaluate(() => window.scrollTo(0, 0));
    });

  await test.step('a theme switch on the page updates forms and card fields immediately', async () => {
    const form = page.locator('.theme-sharp-ink');
    const readColor = (text: Locator): Promise<string> =>
      text.evaluate((element) => getComputedStyle(element).color);
    for (const [choice, color] of [
      ['Dark', 'rgb(245, 245, 245)'],
      ['Light', 'rgb(17, 17, 17)'],
    ] as const) {
      await page.getByLabel(choice, { exact: true }).check();
      expect(await readColor(form.getByText('How often?'))).toBe(color);
      await expect.poll(() => readColor(findCardFrame(form).getByText('Card number'))).toBe(color);
      await expect
        .poll(() =>
          findCardFrame(form)
            .locator('html')
            .evaluate((root) => root.style.colorScheme),
        )
        .toBe(choice.toLowerCase());
    }
  });

  await test.step("the page's styles for all forms override a theme", async () => {
    await page.evaluate(() => {
      const styles = new CSSStyleSheet();
      styles.replaceSync(
        'donation-form { font-family: monospace } donation-form::part(button) { font-style: normal }',
      );
      document.adoptedStyleSheets.push(styles);
    });
    const form = page.locator('.theme-warm-paper');
    await expect(form).toHaveCSS('font-family', 'monospace');
    await expect(form.locator('button[type=submit]')).toHaveCSS('font-style', 'normal');
  });
});

test('the form follows the color scheme of its element, or else of its page', async ({
  page,
  world,
}) => {
  for (const [pageScheme, system, elementScheme, scheme] of [
    ['', 'dark', '', 'light'],
    ['light', 'dark', '', 'light'],
    ['dark', 'light', '', 'dark'],
    ['light dark', 'light', '', 'light'],
    ['light dark', 'dark', '', 'dark'],
    ['light', 'light', 'dark', 'dark'],
    ['dark', 'dark', 'light', 'light'],
    ['light', 'dark', 'light dark', 'dark'],
  ] as const)
    await test.step(`page '${pageScheme}', system ${system}, element '${elementScheme}'`, async () => {
      const isDark = scheme === 'dark';
      await page.emulateMedia({ colorScheme: system });
      world.pages.set(
        '/own',
        `<!doctype html><html lang="en" style="color-scheme: ${pageScheme}"><head><title>A page</title><link rel="icon" href="data:,">
      <style>${elementScheme && `donation-form { color-scheme: ${elementScheme}; --donation-surface: Canvas; --donation-text: CanvasText; padding: 1.5em }`}</style>
      <script type="module" src="${world.endpoint}/donation-form.js"></script></head><body><main><h1>A page</h1><donation-form endpoint="${world.endpoint}"></donation-form></main></body></html>`,
      );
      await page.goto(`${world.page}/own`);
      await expect(findSubmitButton(page)).toHaveCSS(
        'background-color',
        isDark ? 'rgb(111, 220, 177)' : 'rgb(10, 92, 67)',
      );
      await expect(page.getByText('How often?')).toHaveCSS(
        'color',
        isDark ? 'rgb(255, 255, 255)' : 'rgb(0, 0, 0)',
      );
      const cardFrame = findCardFrame(page).locator('html');
      await expect.poll(() => cardFrame.evaluate((root) => root.style.colorScheme)).toBe(scheme);
      await expect(page.locator('[slot=payment] iframe')).toHaveCSS('color-scheme', scheme);
    });
});

test("shows its own and the page's colors in a browser that cannot register properties", async ({
  page,
  world,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(CSS, 'registerProperty'));
  await page.goto(addFormPage(world, {}));
  const button = findSubmitButton(page);
  await expect(button).toHaveCSS('background-color', 'rgb(10, 92, 67)');
  await expect(button).toHaveCSS('color', /^lab\(100 |^rgb\(255, 255, 255\)/);
  await page.addStyleTag({
    content: 'donation-form { --donation-accent: gold; --donation-on-accent: #123456 }',
  });
  await expect(button).toHaveCSS('background-color', 'rgb(255, 215, 0)');
  await expect(button).toHaveCSS('color', 'rgb(18, 52, 86)');
});
