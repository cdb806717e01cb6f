import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signIn } from './sign-in.ts';

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
}

/** The admin pages that `/form-builder` signs in to. */
export interface DemoAdmin {
  readonly origin: string;
  readonly key: string;
}

/**
 * Creates the nonprofit's website: a folder of static files and the form's themes, with a strict
 * Content-Security-Policy. Without `require-trusted-types-for`: Stripe's loader adds its script by URL.
 */
export function createDemoSite({
  folder,
  sandbox,
  admin,
}: {
  readonly folder: string;
  /** Origin of the sandbox. */
  readonly sandbox: string;
  readonly admin?: DemoAdmin;
}): DemoSite {
  let endpoint = '';
  return {
    setEndpoint: (url) => {
      endpoint = url;
    },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/form-builder' && admin) return openFormBuilder(admin);
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
            "form-action 'none'",
          ].join('; '),
          'Referrer-Policy': 'strict-origin-when-cross-origin',
          'X-Content-Type-Options': 'nosniff',
        },
      });
    },
  };
}

/** Signs the visitor in. Cookies apply to all ports of a host, so the admin pages receive them. */
async function openFormBuilder({ origin, key }: DemoAdmin): Promise<Response> {
  const headers = new Headers({ Location: `${origin}/builder` });
  for (const cookie of await signIn(origin, key)) headers.append('Set-Cookie', cookie);
  return new Response(undefined, { status: 303, headers });
}
