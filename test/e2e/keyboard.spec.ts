import { expect, type Locator, type Page } from 'playwright/test';
import { card, form, giveButton, referenceOf, test, type World } from './world.ts';

/** Where focus is: in the form, in the card's frame, or elsewhere on the page. */
interface Stop {
  /** Pixels from the page's top and its left edge. */
  readonly top: number;
  readonly left: number;
  /** Pixels of the ring around what has focus. */
  readonly ring: number;
}

async function stopOf(target: Locator): Promise<Stop> {
  const ring = await target.evaluate((element) => {
    const face = element.matches('.native')
      ? element.nextElementSibling!
      : (element.closest('.own')?.querySelector('.face') ?? element);
    const { outlineStyle, outlineWidth } = getComputedStyle(face);
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
  });
  const { x, y } = (await target.boundingBox())!;
  return { top: y + (await target.page().evaluate(() => scrollY)), left: x, ring };
}

/**
 * Presses Tab, and expects focus at a control: to be seen, and after the last stop in reading
 * order.
 */
async function tabTo(target: Locator, before?: Stop): Promise<Stop> {
  await target.page().keyboard.press('Tab');
  await expect(target).toBeFocused();
  await expect(target).toBeInViewport({ ratio: 0.5 });
  const stop = await stopOf(target);
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
async function tabOnTo(target: Locator): Promise<void> {
  const page = target.page();
  for (let presses = 0; presses < 50; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await isLost(page)).toBe(false);
    if (
      await target.evaluate(
        (element) => (element.getRootNode() as Document).activeElement === element,
      )
    )
      return;
  }
  throw new Error(`Tab does not lead to ${String(target)}`);
}

const isLost = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.activeElement === document.body || document.activeElement === null);

/** Notes whether focus is lost for as long as a frame is shown. */
async function watchFocus(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => {
    const watch = (): void => {
      if (document.activeElement === document.body) document.body.dataset.lost = 'true';
      requestAnimationFrame(watch);
    };
    watch();
  });
  return () => page.evaluate(() => document.body.dataset.lost === 'true');
}

async function open(page: Page, world: World, path = '/'): Promise<void> {
  await page.goto(world.page + path);
  await expect(card(page).getByLabel('Card number')).toBeVisible();
}

/** The demo's page with its form `whole`. */
async function openWhole(page: Page, world: World): Promise<void> {
  world.pages.set(
    '/whole',
    (await (await fetch(world.page)).text()).replace(
      '<donation-form ',
      '<donation-form form-id="whole" ',
    ),
  );
  await open(page, world, '/whole');
}

const radio = (page: Page, name: string | RegExp) => form(page).getByRole('radio', { name });
const field = (page: Page, name: string | RegExp) => form(page).getByRole('textbox', { name });

// The demo's page scrolls at once then, so that places can be measured.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

test(
  'Tab stops at every control once, in the order in which they stand, with a ring around it, and changes nothing',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await open(page, world);
    for (const name of ['Lanternwell', 'Our work', 'Where gifts go', 'Give'])
      await tabTo(page.getByRole('link', { name, exact: true }));
    const stops = [
      radio(page, 'Once'),
      radio(page, /^\$50 /),
      field(page, 'Other amount in USD'),
      form(page).getByRole('combobox', { name: 'Your gift is for' }),
      field(page, 'First name'),
      field(page, 'Last name'),
      field(page, 'E-mail'),
      field(page, 'Phone'),
      radio(page, 'Card or bank account'),
      card(page).getByRole('radio', { name: 'Card' }),
    ];
    let last: Stop | undefined;
    for (const stop of stops) last = await tabTo(stop, last);
    for (const name of ['Card number', 'Expires', 'Security code'])
      last = await tabTo(card(page).getByLabel(name), last);
    last = await tabTo(form(page).getByRole('checkbox', { name: 'to cover the costs' }), last);
    await tabTo(giveButton(page), last);
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Shift+Tab');
    await expect(card(page).getByLabel('Card number')).toBeFocused();
    for (const stop of stops.toReversed()) {
      await page.keyboard.press('Shift+Tab');
      await expect(stop).toBeFocused();
    }
    await expect(giveButton(page)).toHaveText('Give $50');
    await page.getByText('What this page hears').click();
    await expect(page.locator('#log strong')).toHaveText(['onLoad()', 'donation-form-load']);
  },
);

test('a gift is given by keyboard alone, with a second card after the first was declined', async ({
  page,
  world,
}) => {
  await open(page, world);
  const { keyboard } = page;
  const button = giveButton(page);
  await tabOnTo(radio(page, 'Once'));
  const wasLost = await watchFocus(page);
  await keyboard.press('ArrowRight');
  await expect(radio(page, 'Monthly')).toBeFocused();
  await expect(button).toHaveText('Give $50 every month');
  await keyboard.press('ArrowLeft');
  await keyboard.press('Tab');
  await keyboard.press('ArrowDown');
  await expect(button).toHaveText('Give $75');
  for (let presses = 0; presses < 3; presses += 1) await keyboard.press('ArrowDown');
  await expect(radio(page, 'Other amount')).toBeFocused();
  await tabTo(field(page, 'Other amount in USD'));
  await keyboard.type('60');
  await expect(button).toHaveText('Give $60');
  await keyboard.press('Tab');
  await keyboard.press('ArrowDown');
  await expect(form(page).getByRole('combobox')).toHaveValue('2');
  for (const text of [
    'Ana',
    'Souza',
    'ana@example.org',
    '',
    '',
    '',
    '4000 0000 0000 0002',
    '1230',
    '123',
  ]) {
    await keyboard.press('Tab');
    await keyboard.type(text);
  }
  await tabTo(form(page).getByRole('checkbox', { name: 'to cover the costs' }));
  await keyboard.press('Space');
  await expect(button).toHaveText('Give $62.11');
  await tabTo(button);
  await keyboard.press('Enter');

  const notice = form(page).locator('#notice');
  await expect(notice).toContainText('Your bank declined this card. Nothing was charged.');
  await expect(notice).toBeFocused();
  expect((await stopOf(notice)).ring).toBeGreaterThanOrEqual(3);
  for (let presses = 0; presses < 4; presses += 1) await keyboard.press('Shift+Tab');
  await expect(card(page).getByLabel('Card number')).toBeFocused();
  await keyboard.press('ControlOrMeta+a');
  await keyboard.type('4242 4242 4242 4242');
  await keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeFocused();
  expect(await wasLost()).toBe(false);
  await tabTo(form(page).getByRole('button', { name: 'Print' }));
  expect(await world.charges(await referenceOf(page))).toMatchObject([
    { state: 'succeeded', amount: 6_211 },
  ]);
  expect(await world.activities()).toHaveLength(1);
});

test(
  'the summary of what is missing takes focus, and its entries lead to the fields',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await open(page, world);
    const { keyboard } = page;
    await tabOnTo(field(page, 'Last name'));
    await keyboard.type('Souza');
    await keyboard.press('Enter');
    await expect(form(page).locator('#notice')).toBeFocused();
    for (const [message, name] of [
      ['Write your first name.', 'First name'],
      ['Write your e-mail address.', 'E-mail'],
    ] as const) {
      await tabTo(form(page).getByRole('button', { name: message }));
      await keyboard.press('Enter');
      await expect(field(page, name)).toBeFocused();
      expect((await stopOf(field(page, name))).ring).toBeGreaterThanOrEqual(3);
      await expect(field(page, name)).toHaveAccessibleDescription(message);
      await form(page).locator('#notice').focus();
      if (name === 'First name') await keyboard.press('Tab');
    }
  },
);

test('a form with every part is given by keyboard alone, and focus is never lost where parts open and close', async ({
  page,
  world,
}) => {
  await openWhole(page, world);
  const { keyboard } = page;
  const button = giveButton(page);
  const box = (name: string | RegExp) => form(page).getByRole('checkbox', { name });
  await tabOnTo(radio(page, 'Once'));
  const wasLost = await watchFocus(page);
  await tabOnTo(form(page).getByRole('button', { name: 'Give $15 every month instead' }));
  await keyboard.press('Enter');
  await expect(form(page).getByText('Your gift is now $15 every month.')).toBeFocused();
  await expect(button).toHaveText('Give $15 every month');
  await tabOnTo(box('Divide my gift over several projects'));
  await keyboard.press('Space');
  await expect(box('Divide my gift over several projects')).toBeChecked();
  await expect(box('Divide my gift over several projects')).toBeFocused();
  for (const project of ['Where it is needed most', 'Village wells']) {
    await tabOnTo(box(project));
    await keyboard.press('Space');
  }
  await tabTo(field(page, 'Part for Village wells'));
  await keyboard.type('10');
  await expect(form(page).getByText('$15 of $15 divided')).toBeVisible();
  await tabOnTo(radio(page, /^No$/).first());
  await keyboard.press('ArrowRight');
  await expect(radio(page, 'In honour')).toBeFocused();
  await tabTo(field(page, 'Whose name'));
  await keyboard.type('João Souza');
  await tabOnTo(box('I give for an organisation'));
  await keyboard.press('Space');
  await tabTo(field(page, 'Organisation'));
  await keyboard.type('Souza & Daughters');
  await tabOnTo(field(page, /^E-mail$/));
  await keyboard.type('ana@example.org');
  await tabOnTo(form(page).getByRole('combobox', { name: 'Country' }));
  await keyboard.type('United States');
  await expect(field(page, 'ZIP code')).toBeVisible();
  await expect(form(page).getByRole('combobox', { name: 'Country' })).toBeFocused();
  await tabTo(field(page, /^Address$/));
  await keyboard.type('1 Well Road');
  await tabOnTo(field(page, 'City'));
  await keyboard.type('Redding');
  await tabTo(form(page).getByRole('combobox', { name: 'State' }));
  await keyboard.type('Calif');
  await tabTo(field(page, 'ZIP code'));
  await keyboard.type('96001');
  await tabOnTo(form(page).getByRole('combobox', { name: 'How did you hear' }));
  await keyboard.press('ArrowDown');
  await tabOnTo(card(page).getByLabel('Card number'));
  for (const text of ['4242424242424242', '1230', '123']) {
    await keyboard.type(text);
    await keyboard.press('Tab');
  }
  await tabOnTo(button);
  await keyboard.press('Enter');

  await expect(form(page).locator('#notice')).toBeFocused();
  await tabTo(form(page).getByRole('button', { name: 'Without this we cannot take your gift.' }));
  await keyboard.press('Enter');
  await expect(box('I agree that Lanternwell keeps my details')).toBeFocused();
  await keyboard.press('Space');
  await tabOnTo(button);
  await keyboard.press('Space');
  await expect(page.getByRole('heading', { name: /Thank you/ })).toBeFocused();
  expect(await wasLost()).toBe(false);
  expect(await world.charges(await referenceOf(page))).toMatchObject([
    { state: 'succeeded', amount: 1_500 },
  ]);
});
