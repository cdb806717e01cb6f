import { waitUntil } from '../../wait-until.ts';
import { type SmtpListener, startSmtpServer } from '../alerts/support.ts';
import { createTestMail } from '../mail/support.ts';
import type { TestServer, TestServerOptions } from '../support.ts';
import { Browser, startAdminServer } from './support.ts';

export const EMAIL = 'miriam@lanternwell.example';
const ALL = '*';

/** Adds an administrator of all organizations, and returns their ID. */
export async function addPerson(
  { staff }: Pick<TestServer, 'staff'>,
  { email = EMAIL, name = 'Miriam Okafor', organization = ALL } = {},
): Promise<string> {
  const id = await staff.addPerson({ email, name }, { organization, roles: ['administrator'] });
  return id!;
}

/** Starts a server with mail and one person. */
export async function startServerWithPerson(options: TestServerOptions = {}) {
  const smtp = await startSmtpServer();
  const server = await startAdminServer({ mail: createTestMail(smtp.port), ...options });
  const person = await addPerson(server);
  return {
    server,
    smtp,
    person,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await smtp[Symbol.asyncDispose]();
    },
  };
}

/** Submits the sign-in page's form. */
export async function askForLink(browser: Browser, email = EMAIL): ReturnType<Browser['request']> {
  const csrf = await browser.fetchCsrfToken('/sign-in');
  return browser.request('/sign-in/email', { csrf, email, returnTo: '/' });
}

/** Waits for the next message and returns the path of its link. */
export async function receiveLink({ received }: SmtpListener): Promise<string> {
  await waitUntil(() => received.length > 0);
  const message = received.splice(0, 1)[0]!;
  return /http:\/\/127\.0\.0\.1:4103(\/[\w/-]+)/.exec(message)![1]!;
}

/** Opens a link's page and presses its button. */
export async function pressButton(
  browser: Browser,
  path: string,
  fields: Readonly<Record<string, string>> = {},
): ReturnType<Browser['request']> {
  const csrf = await browser.fetchCsrfToken(path);
  return browser.request(path, { csrf, ...fields });
}

/** Signs in with a link from a mail. */
export async function signInByMail(
  browser: Browser,
  smtp: SmtpListener,
  email = EMAIL,
): Promise<void> {
  await askForLink(browser, email);
  await pressButton(browser, await receiveLink(smtp));
}

export async function readCode(browser: Browser): Promise<string> {
  const { html } = await browser.request('/sign-in/sent');
  return /class="code">(\d{3} \d{3})</.exec(html)![1]!.replace(' ', '');
}

export const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.request('/account')).status === 200;
