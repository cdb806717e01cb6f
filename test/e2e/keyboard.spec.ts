import { expect, type Locator, type Page } from 'playwright/test';
import { findCardFrame, findForm, findSubmitButton, test, type World } from './world.ts';

/** A stop in the tab order: position and focus ring. */
interface Stop {
  /** Pixels from the top and left edge of the page. */
  readonly top: number;
  readonly left: number;
  /** Width of the focus ring in pixels. */
  readonly ring: number;
}

async function readTabStop(target: Locator): Promise<Stop> {
  const ring = await target.evaluate((element) => {
    const face = element.matches('.native')
      ? element.nextElementSibling!
      : (element.closest('.custom-amount')?.querySelector('.face') ?? element);
    const { outlineStyle, outlineWidth } = getComputedStyle(face);
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
  });
  const { x, y } = (await target.boundingBox())!;
  return { top: y + (await target.page().evaluate(() => scrollY)), left: x, ring };
}

/**
 * Presses Tab and expects visible focus on a control that follows the previous stop in reading
 * order.
 */
async function expectNextTabStop(target: Locator, before?: Stop): Promise<Stop> {
  await target.page().keyboard.press('Tab');
  await expect(target).toBeFocused();
  await expect(target).toBeInViewport({ ratio: 0.5 });
  const stop = await readTabStop(target);
  const name = String(target);
  expect(stop.ring, name).toBeGreaterThanOrEqual(3);
  const isBeside = before && Math.abs(stop.top - before.top) < 10;
  if (before)
    expect(
      isBeside ? stop.left - before.left : stop.top - before.top,
      `${name} comes after the last one`,
    ).toBeGreaterThan(0);
  return stop;
}

/** Presses Tab until a control has focus. */
async function pressTabUntilFocused(target: Locator): Promise<void> {
  const page = target.page();
  for (let presses = 0; presses < 50; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await isFocusLost(page)).toBe(false);
    if (
      await target.evaluate(
        (element) => (element.getRootNode() as Document).activeElement === element,
      )
    )
      return;
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

const isFocusLost = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement === document.body || document.activeElement === null);

/** Records if focus is lost in any animation frame. */
async function startWatchingFocus(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => {
    const recordLostFocus = (): void => {
      if (document.activeElement === document.body) document.body.dataset.lost = 'true';
      requestAnimationFrame(recordLostFocus);
    };
    recordLostFocus();
  });
  return () => page.evaluate(() => document.body.dataset.lost === 'true');
}

async function openPage(page: Page, world: World, path = '/'): Promise<void> {
  await page.goto(world.page + path);
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
}

/** Opens the demo page with the full form. */
async function openFullForm(page: Page, world: World): Promise<void> {
  world.pages.set(
    '/full',
    (await (await fetch(world.page)).text()).replace(
      '<donation-form ',
      '<donation-form form-id="full" ',
    ),
  );
  await openPage(page, world, '/full');
}

const findWalletButton = (page: Page, name: string) =>
  page.frameLocator('[slot=wallets] iframe').getByRole('button', { name });
const findRadio = (page: Page, name: string | RegExp) =>
  findForm(page).getByRole('radio', { name });
const findField = (page: Page, name: string | RegExp) =>
  findForm(page).getByRole('textbox', { name });

// Disables smooth scrolling, also in Firefox, so that positions can be measured.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test(
  'Tab reaches every control once, in visual order and with a focus ring, and changes nothing',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await openPage(page, world);
    await expectNextTabStop(page.locator('summary', { hasText: 'Event log' }));
    for (const name of ['Lanternwell', 'Our work', 'Where donations go', 'Give'])
      await expectNextTabStop(page.getByRole('link', { name, exact: true }));
    const stops = [
      findRadio(page, 'One-time'),
      findRadio(page, /^\$50 /),
      findField(page, 'Other amount in USD'),
      findForm(page).getByRole('combobox', { name: 'Your donation supports' }),
      findWalletButton(page, 'Google Pay'),
      findWalletButton(page, 'Link'),
      findWalletButton(page, 'PayPal'),
      findField(page, 'First name'),
      findField(page, 'Last name'),
      findField(page, 'Email'),
      findRadio(page, 'Card'),
    ];
    let last: Stop | undefined;
    for (const stop of stops) last = await expectNextTabStop(stop, last);
    for (const name of ['Card number', 'Expiration date', 'Security code'])
      last = await expectNextTabStop(findCardFrame(page).getByLabel(name), last);
    last = await expectNextTabStop(
      findForm(page).getByRole('checkbox', { name: 'cover the transaction fees' }),
      last,
    );
    await expectNextTabStop(findSubmitButton(page), last);
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Shift+Tab');
    await expect(findCardFrame(page).getByLabel('Card number')).toBeFocused();
    for (const stop of stops.toReversed()) {
      await page.keyboard.press('Shift+Tab');
      await expect(stop).toBeFocused();
    }
    await expect(findSubmitButton(page)).toHaveText('Give $50');
    await page.getByText('Event log').click();
    await expect(page.locator('#log strong')).toHaveText(['onLoad()', 'donation-form-load']);
  },
);

// Chromium's donors give with the full form, below.
test(
  'a donation works with the keyboard alone, including a second card after a declined one',
  { tag: '@firefox' },
  async ({ page, world }) => {
    await openPage(page, world);
    const { keyboard } = page;
    const button = findSubmitButton(page);
    await pressTabUntilFocused(findRadio(page, 'One-time'));
    const wasLost = await startWatchingFocus(page);
    await keyboard.press('ArrowRight');
    await expect(findRadio(page, 'Monthly')).toBeFocused();
    await expect(button).toHaveText('Give $50 a month');
    await keyboard.press('ArrowLeft');
    await keyboard.press('Tab');
    await keyboard.press('ArrowDown');
    await expect(button).toHaveText('Give $75');
    for (let presses = 0; presses < 3; presses += 1) await keyboard.press('ArrowDown');
    await expect(findRadio(page, 'Other')).toBeFocused();
    await expectNextTabStop(findField(page, 'Other amount in USD'));
    await keyboard.type('60');
    await expect(button).toHaveText('Give $60');
    await keyboard.press('Tab');
    await keyboard.press('ArrowDown');
    await expect(findForm(page).getByRole('combobox')).toHaveValue('2');
    for (const wallet of ['Google Pay', 'Link', 'PayPal'])
      await expectNextTabStop(findWalletButton(page, wallet));
    for (const text of [
      'Ana',
      'Souza',
      'ana@example.org',
      '',
      '4000 0000 0000 0002',
      '1230',
      '123',
    ]) {
      await keyboard.press('Tab');
      await keyboard.type(text);
    }
    await expectNextTabStop(
      findForm(page).getByRole('checkbox', { name: 'cover the transaction fees' }),
    );
    await keyboard.press('Space');
    await expect(button).toHaveText('Give $62.11');
    await expectNextTabStop(button);
    await keyboard.press('Enter');

    const notice = findForm(page).locator('#notice');
    await expect(notice).toContainText("You haven't been charged. The payment was declined.");
    await expect(notice).toBeFocused();
    expect((await readTabStop(notice)).ring).toBeGreaterThanOrEqual(3);
    await expectNextTabStop(
      notice.getByRole('button', { name: 'Try a different card or payment method' }),
    );
    await keyboard.press('Enter');
    await expect(findForm(page).locator('[name="payment.provider"]:checked')).toBeFocused();
    await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
    await pressTabUntilFocused(findCardFrame(page).getByLabel('Card number'));
    await keyboard.type('4242 4242 4242 4242');
    for (const text of ['1230', '123']) {
      await keyboard.press('Tab');
      await keyboard.type(text);
    }
    await pressTabUntilFocused(button);
    await keyboard.press('Enter');

    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeFocused();
    expect(await wasLost()).toBe(false);
    await expectNextTabStop(findForm(page).getByRole('button', { name: 'Share' }));
    await expectNextTabStop(findForm(page).getByRole('button', { name: 'Copy Reference' }));
    await expectNextTabStop(findForm(page).getByRole('button', { name: 'Print' }));
    expect(await world.listCharges()).toMatchObject([{ amount: 6_211 }]);
    expect(await world.listActivities()).toHaveLength(1);
  },
);

test(
  'rule 57: Enter moves to the next field, and submits in the last field and on the button',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await openPage(page, world);
    const { keyboard } = page;
    await findRadio(page, 'One-time').focus();
    for (const field of [
      findField(page, 'Other amount in USD'),
      findForm(page).getByRole('combobox', { name: 'Your donation supports' }),
    ]) {
      await keyboard.press('Enter');
      await expect(field).toBeFocused();
    }
    await pressTabUntilFocused(findField(page, 'First name'));
    for (const [text, next] of [
      ['Ana', findField(page, 'Last name')],
      ['Souza', findField(page, 'Email')],
      ['ana@example.org', findCardFrame(page).getByLabel('Card number')],
    ] as const) {
      await keyboard.type(text);
      await keyboard.press('Enter');
      await expect(next).toBeFocused();
    }
    await expect(findField(page, 'First name')).toHaveAttribute('enterkeyhint', 'next');
    await expect(findForm(page).locator('#notice')).toHaveCount(0);
    await findRadio(page, 'Bank transfer or check').check();
    await findField(page, 'Email').focus();
    await keyboard.press('Enter');
    await expect(
      page.getByRole('heading', { name: 'One last step: send your donation' }),
    ).toBeVisible();
  },
);

test(
  'the full form works with the keyboard alone, and focus survives sections that open and close',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await openFullForm(page, world);
    const { keyboard } = page;
    const button = findSubmitButton(page);
    const findCheckbox = (name: string | RegExp) => findForm(page).getByRole('checkbox', { name });
    await pressTabUntilFocused(findRadio(page, 'One-time'));
    const wasLost = await startWatchingFocus(page);
    await pressTabUntilFocused(
      findForm(page).getByRole('button', { name: 'Yes, give $15 a month' }),
    );
    await keyboard.press('Enter');
    await expect(findForm(page).getByText('Your donation is now $15 a month.')).toBeFocused();
    await expect(button).toHaveText('Give $15 a month');
    await pressTabUntilFocused(findCheckbox('Support more than one project'));
    await keyboard.press('Space');
    await expect(findCheckbox('Support more than one project')).toBeChecked();
    await expect(findCheckbox('Support more than one project')).toBeFocused();
    for (const project of ['Where it is needed most', 'Village wells']) {
      await pressTabUntilFocused(findCheckbox(project));
      await keyboard.press('Space');
    }
    await expectNextTabStop(findField(page, 'Amount for Village wells'));
    await keyboard.type('10');
    await expect(findForm(page).getByText('$15 of $15 assigned')).toBeVisible();
    await pressTabUntilFocused(findRadio(page, /^No dedication$/).first());
    await keyboard.press('ArrowRight');
    await expect(findRadio(page, 'In honor of')).toBeFocused();
    await expectNextTabStop(findField(page, 'Their name'));
    await keyboard.type('João Souza');
    await pressTabUntilFocused(findCheckbox("I'm giving on behalf of an organization"));
    await keyboard.press('Space');
    await expectNextTabStop(findField(page, 'Organization'));
    await keyboard.type('Souza & Daughters');
    await pressTabUntilFocused(findField(page, /^Email$/));
    await keyboard.type('ana@example.org');
    await pressTabUntilFocused(findForm(page).getByRole('combobox', { name: 'Country' }));
    await keyboard.type('United States');
    await expect(findField(page, 'ZIP code')).toBeVisible();
    await expect(findForm(page).getByRole('combobox', { name: 'Country' })).toBeFocused();
    await expectNextTabStop(findField(page, /^Address$/));
    await keyboard.type('1 Well Road');
    await pressTabUntilFocused(findField(page, 'City'));
    await keyboard.type('Redding');
    await expectNextTabStop(findForm(page).getByRole('combobox', { name: 'State' }));
    await keyboard.type('Calif');
    await expectNextTabStop(findField(page, 'ZIP code'));
    await keyboard.type('96001');
    await pressTabUntilFocused(findForm(page).getByRole('combobox', { name: 'How did you hear' }));
    await keyboard.press('ArrowDown');
    await pressTabUntilFocused(findCardFrame(page).getByLabel('Card number'));
    for (const text of ['4242424242424242', '1230', '123']) {
      await keyboard.type(text);
      await keyboard.press('Tab');
    }
    await pressTabUntilFocused(button);
    await keyboard.press('Enter');

    await expect(findForm(page).locator('#notice')).toBeFocused();
    await expectNextTabStop(
      findForm(page).getByRole('button', { name: 'Please check this box to continue.' }),
    );
    await keyboard.press('Enter');
    await expect(findCheckbox('I agree that Lanternwell stores my details')).toBeFocused();
    await keyboard.press('Space');
    await pressTabUntilFocused(button);
    await keyboard.press('Space');
    await expect(page.getByRole('heading', { name: /Thank you/ })).toBeFocused();
    expect(await wasLost()).toBe(false);
    expect(await world.listCharges()).toMatchObject([{ amount: 1_500 }]);
  },
);
