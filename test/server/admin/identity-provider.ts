import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { OPENID_CLIENT } from '../support.ts';

export interface TestIdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  /**
   * Does what a browser does at the provider: signs in with an account, or aborts.
   * @param url to which the server sent the browser.
   * @returns path and query of the callback.
   */
  readonly signIn: (url: string, account?: string) => Promise<string>;
}

/** Starts a real OpenID Connect provider, at which any account exists. */
export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: OPENID_CLIENT.id,
        client_secret: OPENID_CLIENT.secret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: ['http://127.0.0.1:4103/sign-in/openid-connect/callback'],
      },
    ],
    cookies: { keys: ['canary-cookie-key'] },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  });
  server.on('request', (request, response) => void provider.callback()(request, response));
  return {
    issuer,
    signIn: (url, account) => followLogin(issuer, url, account),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function followLogin(issuer: string, start: string, account?: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  let body: URLSearchParams | undefined;
  while (url.startsWith(issuer)) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(body && { method: 'POST', body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    const html = await response.text();
    const location = response.headers.get('Location');
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(html) ?? [];
    if (location === null && action === undefined) throw new Error(`Unexpected page: ${html}`);
    body = undefined;
    if (location !== null) url = new URL(location, url).href;
    else if (account === undefined) url = `${action!}/abort`;
    else {
      url = action!;
      body = new URLSearchParams({ prompt: prompt!, login: account, password: 'x' });
    }
  }
  const { pathname, search } = new URL(url);
  return pathname + search;
}
