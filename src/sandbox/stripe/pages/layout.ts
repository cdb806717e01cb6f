import { html } from 'hono/html';

export type Html = ReturnType<typeof html>;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; base-uri 'none'";

interface PageOptions {
  readonly status?: number;
  /** Names of the page's scripts. Only pages in frames have scripts. */
  readonly scripts?: readonly string[];
}

/** Renders a page that donors visit. */
export function renderPage(
  baseUrl: string,
  title: string,
  content: Html,
  { status = 200, scripts = [] }: PageOptions = {},
): Promise<Response> {
  return createPageResponse(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Test payments</title>
<link rel="stylesheet" href="${getPath(baseUrl)}/pages.css">
${renderScripts(baseUrl, scripts)}
</head>
<body>
<header class="ribbon"><strong>Test</strong> No money moves.</header>
<main>${content}</main>
</body>
</html>`,
    status,
  );
}

/** Renders a page that fills a frame, such as the fields of an element. */
export function renderFramePage(
  baseUrl: string,
  title: string,
  content: Html,
  { scripts, styles }: { readonly scripts: readonly string[]; readonly styles: string },
): Promise<Response> {
  return createPageResponse(
    html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><link rel="stylesheet" href="${getPath(baseUrl)}/${styles}">${renderScripts(
      baseUrl,
      scripts,
    )}</head>
<body>${content}</body></html>`,
    200,
  );
}

/**
 * Returns the path of a URL. Links between pages contain only paths because a proxy can serve the
 * pages from another origin.
 */
function getPath(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}

function renderScripts(baseUrl: string, names: readonly string[]): Html[] {
  return names.map(
    (name) => html`<script type="module" src="${getPath(baseUrl)}/${name}"></script>`,
  );
}

async function createPageResponse(page: Html, status: number): Promise<Response> {
  return new Response(String(await page), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
