import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { FormDefinition } from '@donation-form/core/schemas';
import type { Organization } from '../../organizations/organization.ts';
import { Problem } from '../../lib/problem.ts';
import { answerOnce, answerWith } from '../../lib/cached-response.ts';
import type { ScriptFiles } from '../embed-assets.ts';

export interface PagesOptions {
  readonly formRegistry: { readonly organizations: readonly Pick<Organization, 'forms'>[] };
  readonly files: ScriptFiles;
}

type Html = ReturnType<typeof html>;

/**
 * The pages that the endpoint serves to the people of the organisation: campaign links, and in its
 * frame the preview of a form.
 */
export function endpointPages({ formRegistry, files }: PagesOptions): Hono {
  const app = new Hono();
  const find = (
    id: string | undefined,
  ): { form: FormDefinition; family: readonly FormDefinition[] } | undefined => {
    const families = formRegistry.organizations.map(({ forms }) =>
      forms.map(({ en }) => en.definition),
    );
    const family = id
      ? families.find((forms) => forms.some((form) => form.id === id))
      : families[0];
    const form = id ? family?.find((one) => one.id === id) : family?.[0];
    return family && form && { form, family };
  };

  app.get('/links', (c) => {
    const found = find(c.req.query('id'));
    return found
      ? page(c, linksDocument(found.form, found.family), { ...OWN, frames: "'self'" })
      : page(c, unknownFormDocument('./', c.req.query('id') ?? ''), OWN, 404);
  });

  app.get('/links/preview/:form', (c) => {
    const id = c.req.param('form');
    const form = find(id)?.form;
    return form
      ? page(c, previewDocument(form), { ...sourcesOf(form), ancestors: "'self'" })
      : page(c, unknownFormDocument('../../', id), { ...OWN, ancestors: "'self'" }, 404);
  });

  app.route('/', pageFiles(files));
  return app;
}

/** The scripts and style sheets of the pages. */
export function pageFiles(files: ScriptFiles): Hono {
  const app = new Hono();
  app.get('/pages/:name{[\\w-]+\\.(js|css)}', async (c) => {
    const name = c.req.param('name');
    const file = (await files()).get(`pages/${name}`);
    if (!file)
      throw new Problem(
        'not-found',
        `There is no ${name} here. Reload the page: it asks for a part of an earlier release.`,
      );
    return answerWith(c, file, {
      'Content-Type': name.endsWith('.js')
        ? 'text/javascript; charset=utf-8'
        : 'text/css; charset=utf-8',
      'Cache-Control': 'no-cache',
    });
  });
  return app;
}

/** What a document may load and show in frames beside its own, and what may show it in one. */
interface Sources {
  readonly scripts: string;
  readonly frames: string;
  readonly ancestors: string;
  /** Whether scripts' addresses may be plain texts: Stripe's loader knows no others. */
  readonly isTrusted: boolean;
}
/**
 * What a document of the endpoint's own needs: its scripts, style sheets and answers, and no frame.
 */
export const OWN: Sources = { scripts: '', frames: "'none'", ancestors: "'none'", isTrusted: true };

/** The Content-Security-Policy of a document. @param forms where its forms may be sent. */
export function policyOf(
  { scripts, frames, ancestors, isTrusted }: Sources,
  forms = "'none'",
): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts}`.trim(),
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `frame-src ${frames}`,
    `frame-ancestors ${ancestors}`,
    "base-uri 'none'",
    `form-action ${forms}`,
    ...(isTrusted ? ["require-trusted-types-for 'script'", 'trusted-types lit-html'] : []),
  ].join('; ');
}

async function page(
  c: Context,
  document: Html,
  sources: Sources,
  status: 200 | 404 | 503 = 200,
): Promise<Response> {
  return answerOnce(
    c,
    String(await document),
    {
      'Content-Type': 'text/html; charset=UTF-8',
      'Content-Security-Policy': policyOf(sources),
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
    },
    status,
  );
}

const STRIPE_SCRIPTS = 'https://js.stripe.com';
const STRIPE_FRAMES = 'https://js.stripe.com https://hooks.stripe.com';

/** Where the fields of a form's payment providers come from. */
function sourcesOf({ payments }: FormDefinition): Sources {
  const frames = payments.flatMap(({ provider, options: { frame } }) => {
    if (provider === 'stripe') return [STRIPE_FRAMES];
    return frame !== undefined && URL.canParse(frame) ? [new URL(frame).origin] : [];
  });
  const hasStripe = payments.some(({ provider }) => provider === 'stripe');
  return {
    ...OWN,
    scripts: hasStripe ? STRIPE_SCRIPTS : '',
    frames: frames.join(' ') || "'none'",
    isTrusted: !hasStripe,
  };
}

/**
 * The way from a document to the endpoint's directory, whose own address the endpoint does not
 * know.
 */
type Root = './' | '../../';

/** How a document begins. @param root the way to the directory where `pages/` is. */
export function beginningOf(root: Root | '/', title: string): Html {
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}pages/page.css">`;
}

function documentOf(root: Root, title: string, body: Html, script?: string): Html {
  return html`${beginningOf(root, title)}
${script === undefined ? '' : html`<script type="module" src="${root}pages/${script}"></script>`}
${body}
</html>`;
}

function linksDocument(
  { id, organization: { name } }: FormDefinition,
  family: readonly FormDefinition[],
): Html {
  const forms =
    family.length < 2
      ? ''
      : html`<nav aria-label="Forms">${family.map((form) => html`<a href="?id=${encodeURIComponent(form.id)}"${form.id === id ? html` aria-current="page"` : ''}>${form.id}</a>`)}</nav>`;
  return documentOf(
    './',
    `Campaign links · ${name}`,
    html`<header>
<p class="organization">${name}</p>
<h1>Campaign links</h1>
<p class="lede">A link that opens your donation form with an amount, a project or a segment already chosen: for mails, letters and posters.</p>
${forms}
</header>
<main><campaign-links endpoint="./" form-id="${id}"><noscript>This page needs JavaScript.</noscript></campaign-links></main>`,
    'campaign-links.js',
  );
}

function previewDocument({ id, organization: { name } }: FormDefinition): Html {
  return documentOf(
    '../../',
    `Preview · ${name}`,
    html`<link rel="modulepreload" href="../../donation-form.js">
<body class="preview on-sheet">
<div class="form"><donation-form endpoint="../../" form-id="${id}">The donation form cannot be shown here.</donation-form></div>
<p id="preview-note" role="status">This is a preview: nothing can be given here.</p>
</body>`,
    'preview.js',
  );
}

/**
 * What a donor reads who wants to change a recurring gift, where that is not possible here or now.
 */
export function manageProblem(
  c: Context,
  organization: FormDefinition['organization'] | undefined,
  status: 404 | 503,
): Promise<Response> {
  const ask = organization
    ? html` <a href="mailto:${organization.contact}">${organization.contact}</a>`
    : '';
  return page(
    c,
    documentOf(
      './',
      'Your recurring gift',
      html`<main class="message">
<h1>${status === 503 ? 'This page cannot be opened right now' : 'Your gift cannot be changed here'}</h1>
<p>${status === 503 ? 'Please try again in a few minutes, or write to' : 'To change or end your recurring gift, please write to'} ${organization ? html`${organization.name}:${ask}` : 'the organisation that you give to.'}</p>
</main>`,
    ),
    OWN,
    status,
  );
}

function unknownFormDocument(root: Root, id: string): Html {
  return documentOf(
    root,
    'No such form',
    html`<main class="message">
<h1>There is no form “${id}” here</h1>
<p>Check the form’s name at the end of this page’s address, or ask whoever runs the donation endpoint.</p>
</main>`,
  );
}
