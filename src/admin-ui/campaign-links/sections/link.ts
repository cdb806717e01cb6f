import { html, nothing, type TemplateResult } from 'lit';
import { formatCount } from '@donation-form/core/i18n';
import {
  describeSelectedSettings,
  explainForeignSite,
  explainIgnoredValue,
  explainUnknownName,
  formatSelection,
  isMergeTag,
  listParameterNotes,
  readLink,
} from '@donation-form/core/settings';
import { renderProblem, renderSuccess } from '../../field.ts';
import { formatValueName } from '../link-fields.ts';
import { createQrCode, type QrCode } from '../qr-code.ts';
import type { LinkView } from '../view.ts';

export function renderLinkCard(
  view: LinkView,
  onCopy: () => void,
  onDownload: (code: QrCode) => void,
): TemplateResult {
  const { link, copyMessage } = view;
  return html`
    <section class="card" aria-labelledby="link-title">
      <h2 id="link-title">Your link</h2>
      ${
        link === undefined
          ? html`<p class="empty">Enter the page URL to get your link.</p>`
          : html`<textarea id="link" class="code" rows="3" readonly spellcheck="false"
              aria-labelledby="link-title" .value=${link}></textarea>
            <div class="actions">
              <button class="primary" type="button" @click=${onCopy}>Copy link</button>
              <a class="button" href=${link} target="_blank" rel="noopener">Open link</a>
              <p class="status-message" role="status">${copyMessage}</p>
            </div>
            ${renderCheckResult(view)}${renderQrCode(link, onDownload)}`
      }
    </section>`;
}

/** Renders the bar with the campaign link. Narrow pages show this bar below the fields. */
export function renderLinkBar({ link, copyMessage }: LinkView, onCopy: () => void): TemplateResult {
  return html`
    <div class="bottom-bar">
      <p class="code">${copyMessage || link}</p>
      <button class="primary" type="button" @click=${onCopy}>Copy link</button>
    </div>`;
}

function renderCheckResult({ form, link = '', origins, check }: LinkView): TemplateResult {
  const { ignored, unknown, personal, settings } = check;
  const isSiteAllowed = origins.includes(new URL(link).origin);
  const problemCount = ignored.length + unknown.length + (isSiteAllowed ? 0 : 1);
  const summary =
    problemCount > 0
      ? renderProblem(`${formatCount(problemCount, 'problem')} in this link`)
      : renderSuccess('No problems in this link');
  const selection = formatSelection(describeSelectedSettings(check));
  return html`
    <div class="findings">
      <div role="status">${summary}</div>
      <ul>
        <li>The link selects ${selection}.</li>
        ${isSiteAllowed ? nothing : html`<li class="error">${explainForeignSite(link)}</li>`}
        ${ignored.map(
          (value) => html`<li class="error">
            <code>${formatValueName(value)}</code> is ignored:
            ${explainIgnoredValue(value, form, settings.currency)}.
          </li>`,
        )}
        ${unknown.map(
          (one) => html`<li class="error"><code>${one.name}</code> ${explainUnknownName(one)}</li>`,
        )}
        ${personal.length > 0 ? renderPersonalDataWarning(personal) : nothing}
        ${listParameterNotes(check).map(
          ({ kind, name, advice }) =>
            html`<li class=${kind === 'not read' ? nothing : 'warning'}><code>${name}</code>: ${advice}.</li>`,
        )}
      </ul>
    </div>`;
}

function renderPersonalDataWarning(names: readonly string[]): TemplateResult {
  return html`<li class="warning">
    <code>${names.join(', ')}</code>: mail servers and analytics can read this personal data. Use a
    merge tag instead so that only the donor’s own email contains it.
  </li>`;
}

function renderQrCode(link: string, onDownload: (code: QrCode) => void): TemplateResult {
  const code = createQrCode(link);
  if (!code)
    return html`<p class="qr-note hint">This link is too long for a QR code. Remove some values.</p>`;
  const { size, path } = code;
  const hasMergeTags = Object.values(readLink(link)).some((value) =>
    isMergeTag(String(value), 'url'),
  );
  const hint = hasMergeTags
    ? 'Merge tags do not work on paper. For print, create a link without them.'
    : 'For letters and posters. The QR code opens the same link.';
  return html`
    <div class="qr">
      <svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img"
        aria-label="QR code of your link">
        <path class="quiet-zone" d="M0 0h${size}v${size}H0z"></path>
        <path class="modules" d=${path}></path>
      </svg>
      <div>
        <h3>QR code</h3>
        <p class="hint">${hint}</p>
        <button type="button" @click=${() => onDownload(code)}>Download SVG</button>
      </div>
    </div>`;
}
