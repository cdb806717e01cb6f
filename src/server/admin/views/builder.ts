import { html } from 'hono/html';
import { beginningOf } from '../../http/routes/pages.ts';
import { documentOf, type Html, type Visit } from './layout.ts';

/** The page where a form is put together. */
export function builderDocument(visit: Visit): Html {
  return documentOf(
    'Form builder · Donations',
    visit,
    html`<script type="module" src="/pages/form-builder.js"></script>
<header>
<h1>Form builder</h1>
<p class="lede">Write what your form offers, see it as donors will, and take the configuration file and the snippet for your page along. Nothing is changed on this server.</p>
</header>
<main><form-builder csrf="${visit.csrf}"><noscript>This page needs JavaScript.</noscript></form-builder></main>`,
  );
}

/**
 * What stands in the frame of that page. Its script makes the form when it is told what to show.
 */
export function builderPreviewDocument(): Html {
  return html`${beginningOf('/', 'Preview')}
<script type="module" src="/pages/builder-preview.js"></script>
<body class="preview">
<div class="form"></div>
<p id="preview-note" role="status">This is a preview: nothing can be given here.</p>
</body>
</html>`;
}
