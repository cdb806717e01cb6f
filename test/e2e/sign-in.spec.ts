import type { CDPSession, Page } from 'playwright/test';
import { startSmtpServer } from '../server/alerts/support.ts';
import { waitUntil } from '../wait-until.ts';
import { findViolationsInBothSchemes } from './find-violations.ts';
import { expect, test, World } from './world.ts';

const EMAIL = 'miriam@lanternwell.example';

/** Replaces the device's passkeys with emulated ones, which a person uses without a prompt. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

async function expectAccessible(page: Page): Promise<void> {
  const isWider = () => document.documentElement.scrollWidth > innerWidth;
  expect([await findViolationsInBothSchemes(page), await page.evaluate(isWider)]).toEqual([
    [],
    false,
  ]);
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const element = page.getByRole('button', { name, exact: true });
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    if (await element.evaluate((node) => node === document.activeElement)) return;
  }
  throw new Error(`Tab never reaches “${String(name)}”`);
}

/** Creates the first person's account with the keyboard. */
async function setUp(page: Page, world: World): Promise<void> {
  await page.goto(world.createSetupLink());
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Miriam Okafor');
  await page.keyboard.press('Tab');
  await page.keyboard.type(EMAIL);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your account');
}

test('a passkey is added, signs in, confirms, and is removed with the keyboard, in both color schemes, on a phone', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await addAuthenticator(page);
  await setUp(page, world);
  await expectAccessible(page);
  await tabTo(page, 'Add a passkey');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('You can now sign in with the passkey');
  await expectAccessible(page);

  await tabTo(page, 'Sign out');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Sign in with a passkey');
  await expectAccessible(page);
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().endsWith('/sign-in/passkey')),
    page.keyboard.press('Enter'),
  ]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing needs review');

  await page.goto(`${world.adminUrl}/account`);
  await expect(page.locator('main')).toContainText('Last used less than a minute ago');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  const replayed = await page.evaluate(async (body) => {
    const { status } = await fetch('/sign-in/passkey', {
      method: 'POST',
      body: new URLSearchParams({
        ...Object.fromEntries(new URLSearchParams(body)),
        csrf: document.querySelector<HTMLInputElement>('[name="csrf"]')!.value,
      }),
    });
    return status;
  }, request.postData()!);
  expect(replayed).toBe(401);

  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing needs review');
  world.changeDatabase('UPDATE admin_sessions SET authenticated_at = 0');
  await page.goto(`${world.adminUrl}/account`);
  await tabTo(page, /^Remove: /);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Confirm that it is you');
  await expectAccessible(page);
  await tabTo(page, 'Confirm with a passkey');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toHaveText('The passkey no longer signs you in.');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert').first()).toContainText('This passkey did not work.');
});

test('a link from a mail signs in without JavaScript, and in another browser with the code', async ({
  browser,
}) => {
  await using smtp = await startSmtpServer({ authOptional: true });
  await using world = await World.open(undefined, {
    organization: {
      mail: { host: '127.0.0.1', port: smtp.port, from: 'giving@lanternwell.example' },
    },
  });
  const options = { javaScriptEnabled: false, viewport: { width: 390, height: 800 } };
  const [asking, other] = [await browser.newContext(options), await browser.newContext()];
  const page = await asking.newPage();
  await setUpWithoutScript(page, world);
  const askForLink = async (): Promise<string> => {
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Check your email');
    await waitUntil(() => smtp.received.length > 0);
    return /http:\/\/localhost:\d+\/sign-in\/link\/[\w-]+/.exec(smtp.received.pop()!)![0];
  };
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden();
  await page.goto(await askForLink());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing needs review');
  await page.getByRole('button', { name: 'Sign out' }).click();

  const link = await askForLink();
  const code = await page.locator('.code').textContent();
  const otherPage = await other.newPage();
  await otherPage.goto(`${world.adminUrl}/sign-in/sent`);
  await expectAccessible(otherPage);
  await otherPage.goto(link);
  await expectAccessible(otherPage);
  await otherPage.getByLabel('Code').fill(code!);
  await otherPage.keyboard.press('Enter');
  await expect(otherPage.getByRole('heading', { level: 1 })).toHaveText('Nothing needs review');
  await asking.close();
  await other.close();
});

async function setUpWithoutScript(page: Page, world: World): Promise<void> {
  await page.goto(world.createSetupLink());
  await page.getByLabel('Your name').fill('Miriam Okafor');
  await page.getByLabel('Your email').fill(EMAIL);
  await page.getByRole('button').click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
}
