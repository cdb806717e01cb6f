import { html } from 'hono/html';
import { formatList } from '@donation-form/core/i18n';
import type { FormDefinition } from '@donation-form/core/schemas';
import { readPackageHomepage, readPackageVersion } from '../lib/package-file.ts';
import { renderDocument, type Html } from './render-document.ts';

/** Placeholder that the page's script replaces with the URL, which only the browser knows. */
const EXAMPLE_URL = 'https://give.example.org';

/**
 * Helps administrators set up the endpoint.
 * @param organizations forms of each organization.
 */
export function renderEndpointPage(organizations: readonly (readonly FormDefinition[])[]): Html {
  const names = organizations.flatMap(([form]) => form?.organization.name ?? []);
  return renderDocument(
    './',
    'Donation server',
    html`<header>
<p class="organization">Donation server</p>
<h1>${formatList(names)}</h1>
<p class="lede">The server is running. Websites load their donation form from this URL.
This page is for the people who set up the form.</p>
<nav aria-label="Pages"><a href="./links">Campaign links</a><a href="./healthz">Status</a><a href="${readPackageHomepage()}">Documentation</a></nav>
</header>
<main class="endpoint">
${organizations.map((forms) => renderForms(forms, names.length > 1))}
<p class="hint">Version ${readPackageVersion()}</p>
</main>`,
    'endpoint.js',
  );
}

function renderForms(forms: readonly FormDefinition[], isNamed: boolean): Html {
  const [first] = forms;
  if (!first) return html``;
  return html`<section class="card">
<h2>${isNamed ? first.organization.name : 'Forms'}</h2>
${forms.map(
  ({ id, name }) => html`<div class="form-entry"><h3>${name ?? id}</h3>
<p class="hint">Form ID: <code>${id}</code></p>
<p><a href="./links?id=${encodeURIComponent(id)}">Campaign links</a> <a href="./donate?id=${encodeURIComponent(id)}">Without JavaScript</a></p>
<pre tabindex="0" aria-label="Snippet for ${name ?? id}">${renderSnippet(id)}</pre></div>
`,
)}
</section>`;
}

/** Escapes the snippet for display as text. */
function renderSnippet(id: string): Html {
  const url = html`<span class="endpoint-url">${EXAMPLE_URL}</span>`;
  const encodedId = encodeURIComponent(id);
  return html`&lt;script type="module" src="${url}/embed/${encodedId}.js">&lt;/script>
&lt;donation-form form-id="${id}">
  &lt;a href="${url}/donate?id=${encodedId}">Give on our secure page&lt;/a>
&lt;/donation-form>`;
}
