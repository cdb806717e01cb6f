import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface DemoPage {
  readonly fetch: (request: Request) => Promise<Response>;
  /** The endpoint's address, which is known only when it listens. */
  readonly setEndpoint: (address: string) => void;
}

/**
 * The nonprofit's site: a folder of plain files and the form's ready themes, under a policy as
 * strict as a careful site's.
 */
export function demoPage({
  folder,
  sandbox,
}: {
  readonly folder: string;
  readonly sandbox: string;
}): DemoPage {
  let endpoint = '';
  return {
    setEndpoint: (address) => {
      endpoint = address;
    },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const name = pathname === '/' ? 'index.html' : pathname.slice(1);
      if (!/^((images|themes)\/)?[\w-]+\.(html|css|js|svg)$/.test(name))
        return new Response('Not found', { status: 404 });
      const text = await readFile(
        name.startsWith('themes/')
          ? fileURLToPath(new URL(`../${name}`, import.meta.url))
          : join(folder, name),
        'utf8',
      ).catch(() => undefined);
      if (text === undefined) return new Response('Not found', { status: 404 });
      return new Response(text.replaceAll('http://127.0.0.1:4101', endpoint), {
        headers: {
          'Content-Type': TYPES[extname(name)] ?? 'text/plain',
          'Content-Security-Policy': [
            "default-src 'none'",
            `script-src 'self' ${endpoint}`,
            "style-src 'self'",
            "img-src 'self'",
            `connect-src ${endpoint}`,
            `frame-src ${sandbox}`,
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            'trusted-types lit-html',
          ].join('; '),
          'Referrer-Policy': 'strict-origin-when-cross-origin',
          'X-Content-Type-Options': 'nosniff',
        },
      });
    },
  };
}
