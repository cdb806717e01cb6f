import { html } from 'hono/html';
import type { Html } from '../../http/render-document.ts';
import { renderAdminPage, type ViewContext } from './layout.ts';

/** @param reason what the person lacks, and what to do. */
export function renderForbiddenPage(context: ViewContext, reason: string): Html {
  return renderAdminPage(
    'Not permitted · Donations',
    context,
    html`<main class="message">
<h1>You are not permitted to do this</h1>
<p>${reason}</p>
</main>`,
  );
}
