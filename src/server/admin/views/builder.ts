import { html } from 'hono/html';
import { type Html, renderDocumentStart } from '../../http/render-document.ts';
import { renderAdminPage, type RequestContext } from './layout.ts';

export function renderBuilderPage(context: RequestContext): Html {
  return renderAdminPage(
    'Form builder · Donations',
    context,
    html`<link rel="stylesheet" href="/pages/tools.css">
<script type="module" src="/pages/form-builder.js"></script>
<header>
<h1>Form builder</h1>
<p class="lede">Set up your form and preview it. Then download the configuration file and copy the
snippet for your page. The builder does not change anything on this server.</p>
</header>
<main><form-builder csrf="${context.csrf}"><noscript>This page requires JavaScript.</noscript></form-builder></main>`,
  );
}

/** Renders the document for the preview frame. A script in the document adds the form. */
export function renderBuilderPreview(): Html {
  return html`${renderDocumentStart('/', 'Preview')}
<script type="module" src="/pages/builder-preview.js"></script>
<body class="preview">
<div class="form"></div>
<p id="preview-note" role="status">This is a preview. You cannot donate here.</p>
</body>
</html>`;
}
