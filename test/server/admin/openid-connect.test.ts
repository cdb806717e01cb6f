import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discoverIdentityProvider } from '../../../src/server/lib/discover-identity-provider.ts';
import { startIdentityProvider, type TestIdentityProvider } from './identity-provider.ts';
import {
  addPerson,
  EMAIL,
  isSignedIn,
  pressButton,
  signInByMail,
  startServerWithPerson,
} from './sign-in-support.ts';
import { Browser } from './support.ts';

async function startWorld(options: { readonly now?: () => number } = {}) {
  const provider = await startIdentityProvider();
  const world = await startServerWithPerson({ issuer: provider.issuer, ...options });
  return {
    ...world,
    provider,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Submits a form that leads to the provider, and returns the path of the provider's answer. */
async function visitProvider(
  browser: Browser,
  provider: TestIdentityProvider,
  {
    path = '/sign-in/openid-connect',
    page = '/sign-in',
    account = 'account-1',
  }: { readonly path?: string; readonly page?: string; readonly account?: string | null } = {},
): Promise<string> {
  const csrf = await browser.fetchCsrfToken(page);
  const { headers } = await browser.request(path, { csrf });
  const url = headers.get('Refresh')!.replace('0; url=', '');
  return provider.signIn(url, account ?? undefined);
}

async function link(
  browser: Browser,
  provider: TestIdentityProvider,
  account: string,
): Promise<string> {
  const path = '/account/identity/link';
  await browser.request(
    await visitProvider(browser, provider, { path, page: '/account', account }),
  );
  return (await browser.request('/account')).html;
}

test('signs in with a linked account of the identity provider, and with no other', async () => {
  await using world = await startWorld();
  const { server, provider, smtp } = world;
  const browser = new Browser(server);
  assert.match((await browser.request('/sign-in')).html, /Sign in with Example Login/);
  const refused = await browser.request(await visitProvider(browser, provider));
  assert.equal(refused.status, 403);
  assert.match(refused.html, /is not linked to a person here/);
  assert.equal(await isSignedIn(browser), false);

  await signInByMail(browser, smtp);
  assert.match(
    await link(browser, provider, 'account-1'),
    /You can now sign in with Example Login/,
  );
  const other = new Browser(server);
  const { cookie } = (await other.request('/sign-in'), other);
  const { status, to } = await other.request(await visitProvider(other, provider));
  assert.deepEqual([status, to, other.cookie === cookie], [303, '/', false]);
  assert.equal(await isSignedIn(other), true);
  const third = new Browser(server);
  await third.request(await visitProvider(third, provider, { account: EMAIL }));
  assert.equal(await isSignedIn(third), false);

  const csrf = await browser.fetchCsrfToken('/account');
  await browser.request('/account/identity/unlink', { csrf });
  const fourth = new Browser(server);
  await fourth.request(await visitProvider(fourth, provider));
  assert.equal(await isSignedIn(fourth), false);
});

test('accepts an answer of the identity provider once, in the browser that asked, for 15 minutes', async () => {
  let time = Date.now();
  await using world = await startWorld({ now: () => time });
  const { server, provider, smtp } = world;
  const linked = new Browser(server);
  await signInByMail(linked, smtp);
  await link(linked, provider, 'account-1');
  const asking = new Browser(server);
  const stolen = await visitProvider(asking, provider);
  const thief = new Browser(server);
  await thief.request('/sign-in');
  assert.equal((await thief.request(stolen)).status, 401);
  assert.equal((await asking.request(stolen)).status, 401);
  const used = await visitProvider(asking, provider);
  const cookie = asking.cookie;
  assert.equal((await asking.request(used)).status, 303);
  const replaying = new Browser(server);
  replaying.cookie = cookie;
  assert.equal((await replaying.request(used)).status, 401);
  const late = new Browser(server);
  const path = await visitProvider(late, provider);
  time += 900_000;
  assert.equal((await late.request(path)).status, 401);
  const aborting = new Browser(server);
  const aborted = await aborting.request(
    await visitProvider(aborting, provider, { account: null }),
  );
  assert.match(aborted.html, /Example Login did not sign you in/);
});

test('an invitation links an account, which then belongs to nobody else', async () => {
  await using world = await startWorld();
  const { server, provider, smtp } = world;
  const invite = async (person: string): Promise<string> => {
    const { oneTimeTokens } = server;
    const lifetime = 60_000;
    return `/invitation/${await oneTimeTokens.create({ purpose: 'invitation', person, lifetime })}`;
  };
  const path = await invite(world.person);
  const browser = new Browser(server);
  const { headers } = await pressButton(browser, path, { email: EMAIL, with: 'provider' });
  const url = headers.get('Refresh')!.replace('0; url=', '');
  const { to } = await browser.request(await provider.signIn(url, 'account-1'));
  assert.deepEqual([to, await isSignedIn(browser)], ['/account', true]);
  assert.equal((await new Browser(server).request(path)).status, 404);

  await addPerson(server, { email: 'lee@lanternwell.example' });
  const lee = new Browser(server);
  await signInByMail(lee, smtp, 'lee@lanternwell.example');
  assert.match(await link(lee, provider, 'account-1'), /belongs to somebody else here/);
});

test('reports an identity provider that does not answer', async () => {
  await using world = await startServerWithPerson({ issuer: 'http://127.0.0.1:1' });
  const browser = new Browser(world.server);
  const csrf = await browser.fetchCsrfToken('/sign-in');
  const { html } = await browser.request('/sign-in/openid-connect', { csrf });
  assert.match(html, /Example Login does not answer\. Try again later/);
  await using provider = await startIdentityProvider();
  const settings = { clientId: 'x', clientSecret: 'x', name: 'x' };
  await discoverIdentityProvider({ issuer: provider.issuer, ...settings });
  await assert.rejects(discoverIdentityProvider({ issuer: `${provider.issuer}/x`, ...settings }));
});
