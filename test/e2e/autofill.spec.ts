import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from 'playwright/test';
import { fillCard, findForm, findSubmitButton, test as withWorld, World } from './world.ts';

const DONOR = {
  firstName: 'Ana',
  lastName: 'Souza',
  email: 'ana@example.org',
  phone: '+12015550123',
};

/** Content of the file in which Firefox stores addresses in a profile. */
const firefoxAddresses = {
  version: 1,
  creditCards: [],
  addresses: [
    {
      guid: 'a1b2c3d4e5f6',
      version: 1,
      name: `${DONOR.firstName} ${DONOR.lastName}`,
      'given-name': DONOR.firstName,
      'family-name': DONOR.lastName,
      email: DONOR.email,
      tel: DONOR.phone,
      country: 'US',
      timeCreated: 1,
      timeLastModified: 1,
      timeLastUsed: 0,
      timesUsed: 0,
    },
  ],
};

/** Starts the browser with its own profile, which contains the donor's address. */
const test = withWorld.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that are needed from this pattern
  world: async ({}, use) => {
    await using world = await World.open(undefined, {
      form: {
        donorFields: {
          firstName: 'required',
          lastName: 'required',
          email: 'required',
          phone: 'optional',
        },
      },
    });
    await use(world);
  },
  context: async ({ browserName, playwright, launchOptions, locale, viewport }, use) => {
    const profile = await mkdtemp(join(tmpdir(), 'donation-form-profile-'));
    if (browserName === 'firefox')
      await writeFile(join(profile, 'autofill-profiles.json'), JSON.stringify(firefoxAddresses));
    const context = await playwright[browserName].launchPersistentContext(profile, {
      ...launchOptions,
      viewport,
      ...(locale && { locale }),
      ...(browserName === 'firefox' && {
        firefoxUserPrefs: {
          'extensions.formautofill.addresses.enabled': true,
          'extensions.formautofill.addresses.supported': 'on',
        },
      }),
    });
    await use(context);
    await context.close();
    await rm(profile, { recursive: true });
  },
});

/** Fills the form through DevTools: the command contains the address, as if it were saved. */
async function fillByChromium(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { result } = await devtools.send('Runtime.evaluate', {
    expression:
      'document.querySelector("donation-form").shadowRoot.querySelector("[name=firstName]")',
  });
  const {
    node: { backendNodeId },
  } = await devtools.send('DOM.describeNode', { objectId: result.objectId ?? '' });
  const fields = Object.entries({
    NAME_FIRST: DONOR.firstName,
    NAME_LAST: DONOR.lastName,
    EMAIL_ADDRESS: DONOR.email,
    PHONE_HOME_WHOLE_NUMBER: DONOR.phone,
    ADDRESS_HOME_COUNTRY: 'US',
  }).map(([name, value]) => ({ name, value }));
  await devtools.send('Autofill.trigger', { fieldId: backendNodeId, address: { fields } });
}

/**
 * Opens Firefox's address list with the first arrow key and selects the first address with the
 * second.
 */
async function fillByFirefox(page: Page): Promise<void> {
  await page.getByLabel('First name').click();
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) {
    await page.keyboard.press(key);
    // The list is browser UI, so the page cannot tell when it is open, and Firefox ignores a
    // selection that follows too quickly.
    await page.waitForTimeout(700);
  }
}

test("the browser's autofill fills name, email, and phone, and the donation contains them", async ({
  page,
  browserName,
  world,
}) => {
  await page.goto(world.page);
  await expect(findSubmitButton(page)).toHaveText('Give $50');
  const phone = page.getByLabel('Phone');
  await expect(async () => {
    await (browserName === 'firefox' ? fillByFirefox(page) : fillByChromium(page));
    await expect(phone).not.toBeEmpty({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await expect(page.getByLabel('First name')).toHaveValue(DONOR.firstName);
  await expect(page.getByLabel('Last name')).toHaveValue(DONOR.lastName);
  await expect(page.getByLabel('Email')).toHaveValue(DONOR.email);
  // Chromium omits the plus sign.
  await expect(phone).toHaveValue(/^\+?12015550123$/);
  await expect(findSubmitButton(page)).toHaveText('Give $50');
  await expect(
    findForm(page).locator('[name=website]'),
    'the field that no person meets',
  ).toHaveValue('');

  const donor = { ...DONOR, phone: await phone.inputValue() };
  await fillCard(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  expect(await world.listDonors()).toMatchObject([donor]);
});
