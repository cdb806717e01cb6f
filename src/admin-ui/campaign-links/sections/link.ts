import { html, nothing, type TemplateResult } from 'lit';
import { problemSign } from '@donation-form/donation-form/internal';
import { isMergeTag, selectedBy, readLink } from '@donation-form/core/settings';
import { goodSign } from '../../good-sign.ts';
import { qrCode, type QrCode } from '../qr-code.ts';
import type { View } from '../view.ts';
import { count, placeOf, whyIgnored } from '../words.ts';

/** The link, what the form makes of it, and its QR code. */
export function linkCard(
  view: View,
  copy: () => void,
  save: (code: QrCode) => void,
): TemplateResult {
  const { link, said } = view;
  return html`
    <section class="card" aria-labelledby="link-title">
      <h2 id="link-title">Your link</h2>
      ${
        link === undefined
          ? html`<p class="empty">Write the page’s address, and your link appears here.</p>`
          : html`<textarea id="link" class="code" rows="3" readonly spellcheck="false" aria-labelledby="link-title" .value=${link}></textarea>`
      }
      <div class="actions"><button class="strong" type="button" @click=${copy}>Copy link</button><p class="said" role="status">${said}</p></div>
      ${link === undefined ? nothing : html`${findings(view)}${qrPart(link, save)}`}
    </section>`;
}

function findings({ form, check }: View): TemplateResult {
  const { ignored, unknown, personal } = check;
  const faults = ignored.length + unknown.length;
  return html`
    <div class="findings">
      <p role="status" class=${faults > 0 ? 'problem' : 'good'}>${faults > 0 ? problemSign : goodSign}<span>${faults > 0 ? `${count(faults, 'thing', 'things')} in this link ${faults === 1 ? 'does' : 'do'} not count` : 'Everything in this link counts'}</span></p>
      <ul>
        <li>The form opens with ${selectedBy(check).join(' · ') || 'nothing chosen beforehand'}.</li>
        ${ignored.map((one) => html`<li class="fault"><code>${placeOf(one)}</code> is ignored: ${whyIgnored(one, form, check.settings.currency)}.</li>`)}
        ${unknown.map(({ name, meant }) => html`<li class="fault"><code>${name}</code> is a name that no form knows. Did you mean <code>${meant}</code>?</li>`)}
        ${personal.length > 0 ? html`<li class="warning"><code>${personal.join(', ')}</code>: personal data, which everything on the link’s way can read. A merge tag names the donor only in the mail.</li>` : nothing}
      </ul>
    </div>`;
}

function qrPart(link: string, save: (code: QrCode) => void): TemplateResult {
  const code = qrCode(link);
  if (!code)
    return html`<p class="qr-note hint">This link is too long for a QR code. Shorten it, or leave out what a poster does not need.</p>`;
  const { size, path } = code;
  const hasMergeTags = Object.values(readLink(link)).some((value) => isMergeTag(String(value)));
  return html`
    <div class="qr">
      <svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="QR code of your link"><path class="quiet-zone" d="M0 0h${size}v${size}H0z"></path><path class="modules" d=${path}></path></svg>
      <div>
        <h3>QR code</h3>
        <p class="hint">${hasMergeTags ? 'For print, make a link without merge tags: paper cannot fill them in.' : 'For letters and posters. It opens the same link.'}</p>
        <button class="quiet" type="button" @click=${() => save(code)}>Save as SVG</button>
      </div>
    </div>`;
}
