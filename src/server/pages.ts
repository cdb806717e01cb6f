import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { FormDefinition } from '../contract/form-definition.ts';
import { hasTag } from './entity-tag.ts';
import type { Organization } from './organization.ts';
import { Problem } from './problem.ts';
import type { ScriptFiles } from './script.ts';

export interface PagesOptions {
  readonly organizations: readonly Pick<Organization, 'forms'>[];
  readonly files: ScriptFiles;
}

type Html = ReturnType<typeof html>;

/** The pages that the endpoint serves to the people of the organisation: campaign links, and in its frame the preview of a form. */
export function endpointPages({ organizations, files }: PagesOptions): Hono {
  const app = new Hono();
  const families = organizations.map(({ forms }) => forms.map(({ en }) => en.definition));
  const find = (id: string | undefined): { form: FormDefinition; family: readonly FormDefinition[] } | undefined => {
    const family = id ? families.find((forms) => forms.some((form) => form.id === id)) : families[0];
    const form = id ? family?.find((one) => one.id === id) : family?.[0];
    return family && form && { form, family };
  };

  app.get('/links', (c) => {
    const found = find(c.req.query('id'));
    return found
      ? page(c, linksDocument(found.form, found.family), { frames: "'self'", ancestors: "'none'" })
      : page(c, unknownFormDocument('./', c.req.query('id') ?? ''), { frames: "'none'", ancestors: "'none'" }, 404);
  });

  app.get('/links/preview/:form', (c) => {
    const id = c.req.param('form'), form = find(id)?.form;
    return form
      ? page(c, previewDocument(form), { frames: frameOrigin(form), ancestors: "'self'" })
      : page(c, unknownFormDocument('../../', id), { frames: "'none'", ancestors: "'self'" }, 404);
  });

  app.get('/pages/:name{[\\w-]+\\.(js|css)}', async (c) => {
    const name = c.req.param('name'), file = (await files()).get(`pages/${name}`);
    if (!file) throw new Problem('not-found', `There is no ${name} here. Reload the page: it asks for a part of an earlier release.`);
    const headers = { 'Content-Type': name.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8', 'Cache-Control': 'no-cache', ETag: file.etag };
    return hasTag(c.req.header('If-None-Match'), file.etag) ? c.body(null, 304, headers) : c.body(file.text, 200, headers);
  });
  return app;
}

/** @param sources what the document may show in frames, and what may show it in one. */
function page(c: Context, document: Html, { frames, ancestors }: { readonly frames: string; readonly ancestors: string }, status: 200 | 404 = 200): Response | Promise<Response> {
  return c.html(document, status, {
    'Content-Security-Policy': [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:", `frame-src ${frames}`, `frame-ancestors ${ancestors}`,
      "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", 'trusted-types lit-html',
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-cache',
  });
}

/** Where the payment provider's frame comes from. */
function frameOrigin({ payment: { options } }: FormDefinition): string {
  return options.frame !== undefined && URL.canParse(options.frame) ? new URL(options.frame).origin : "'none'";
}

/** The way from a document to the endpoint's directory, whose own address the endpoint does not know. */
type Root = './' | '../../';

function documentOf(root: Root, title: string, body: Html, script?: string): Html {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}pages/page.css">
${script === undefined ? '' : html`<script type="module" src="${root}pages/${script}"></script>`}
${body}
</html>`;
}

function linksDocument({ id, organization: { name } }: FormDefinition, family: readonly FormDefinition[]): Html {
  const forms = family.length < 2 ? '' : html`<nav aria-label="Forms">${family.map((form) => html`<a href="?id=${encodeURIComponent(form.id)}"${form.id === id ? html` aria-current="page"` : ''}>${form.id}</a>`)}</nav>`;
  return documentOf('./', `Campaign links · ${name}`, html`<header>
<p class="organization">${name}</p>
<h1>Campaign links</h1>
<p class="lede">A link that opens your donation form with an amount, a project or a segment already chosen: for mails, letters and posters.</p>
${forms}
</header>
<main><campaign-links endpoint="./" form-id="${id}"><noscript>This page needs JavaScript.</noscript></campaign-links></main>`, 'campaign-links.js');
}

function previewDocument({ id, organization: { name } }: FormDefinition): Html {
  return documentOf('../../', `Preview · ${name}`, html`<link rel="modulepreload" href="../../donation-form.js">
<body class="preview">
<div class="form"><donation-form endpoint="../../" form-id="${id}">The donation form cannot be shown here.</donation-form></div>
<p id="preview-note" role="status">This is a preview: nothing can be given here.</p>
</body>`, 'preview.js');
}

function unknownFormDocument(root: Root, id: string): Html {
  return documentOf(root, 'No such form', html`<main class="message">
<h1>There is no form “${id}” here</h1>
<p>Check the form’s name at the end of this page’s address, or ask whoever runs the donation endpoint.</p>
</main>`);
}
