import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signIn, type StaffServer } from './sign-in.ts';
import { STAFF } from './staff.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

export interface DemoSite {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Sets the endpoint's URL, which is known only once the endpoint listens. */
  readonly setEndpoint: (url: string) => void;
  /** Sets the server that the visitor can sign in to as one of the staff. */
  readonly setStaffServer: (server: StaffServer) => void;
}

/**
 * Creates the nonprofit's website: a folder of static files and the form's themes, with a strict
 * Content-Security-Policy. Without `require-trusted-types-for`: Stripe's loader adds its script by URL.
 */
export function createDemoSite({
  folder,
  sandbox,
}: {
  readonly folder: string;
  /** Origin of the sandbox. */
  readonly sandbox: string;
}): DemoSite {
  let endpoint = '';
  let staffServer: StaffServer | undefined;
  return {
    setEndpoint: (url) => {
      endpoint = url;
    },
    setStaffServer: (server) => {
      staffServer = server;
    },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (staffServer && request.method === 'POST') return signInAs(pathname, request, staffServer);
      const name = pathname === '/' ? 'index.html' : pathname.slice(1);
      if (!/^((images|texts|themes)\/)?[\w-]+\.(html|css|js|json|svg)$/.test(name))
        return new Response('Not found', { status: 404 });
      const file = name.startsWith('themes/')
        ? fileURLToPath(new URL(`../${name}`, import.meta.url))
        : join(folder, name);
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text === undefined) return new Response('Not found', { status: 404 });
      const page = text
        .replaceAll('http://127.0.0.1:4101', endpoint)
        .replaceAll('http://127.0.0.1:4102', sandbox);
      return new Response(page, {
        headers: {
          'Content-Type': CONTENT_TYPES[extname(name)] ?? 'text/plain',
          'Content-Security-Policy': [
            "default-src 'none'",
            `script-src 'self' ${endpoint} ${sandbox}`,
            "style-src 'self'",
            "img-src 'self'",
            `connect-src 'self' ${endpoint} ${sandbox}`,
            `frame-src ${sandbox}`,
            "base-uri 'none'",
            // The answer to the forms of the staff page redirects to the admin pages.
            `form-action ${staffServer ? `'self' ${staffServer.origin}` : "'none'"}`,
          ].join('; '),
          'Referrer-Policy': 'strict-origin-when-cross-origin',
          'X-Content-Type-Options': 'nosniff',
        },
      });
    },
  };
}

/**
 * Signs the visitor in, for a path such as `/sign-in/finance`. Cookies apply to all ports of a host,
 * so the admin pages receive them, and this site receives those of the admin pages.
 */
async function signInAs(
  pathname: string,
  request: Request,
  server: StaffServer,
): Promise<Response> {
  const person = STAFF.find(({ role }) => pathname === `/sign-in/${role}`);
  if (!person) return new Response('Not found', { status: 404 });
  return signIn(server, person, {
    cookie: request.headers.get('Cookie') ?? '',
    returnTo: person.startPage,
  });
}
