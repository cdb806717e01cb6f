import { html, nothing, type TemplateResult } from 'lit';
import { problemSign } from '@donation-form/donation-form/internal';
import type { View } from '../view.ts';
import { LANGUAGE_OPTIONS } from '../words.ts';
import { segments, selectField } from './fields.ts';

/**
 * The form as donors see it, and how to look at it.
 * @param isShown whether there is a form to show yet.
 */
export function previewCard(view: View, isShown: boolean, tell: () => void): TemplateResult {
  const {
    draft: { language },
    scheme,
    isPhone,
    see,
    change,
  } = view;
  return html`
    <section class="card preview" aria-labelledby="preview-title">
      <h2 id="preview-title" tabindex="-1">What donors see</h2>
      <div class="tools">
        ${segments({
          name: 'width',
          label: 'Width',
          chosen: isPhone ? 'phone' : 'wide',
          options: [
            ['phone', 'Phone'],
            ['wide', 'Wide'],
          ],
          choose: (width) => see({ isPhone: width === 'phone' }),
        })}
        ${segments({
          name: 'scheme',
          label: 'Light or dark',
          chosen: scheme,
          options: [
            ['light', 'Light'],
            ['dark', 'Dark'],
          ],
          choose: (chosen) => see({ scheme: chosen }),
        })}
        ${selectField({ id: 'spoken', label: 'Language', chosen: language, options: LANGUAGE_OPTIONS, choose: (chosen) => change({ language: chosen as typeof language }) })}
      </div>
      <div role="status">${stateOf(view, isShown)}</div>
      <iframe class=${isPhone ? 'phone' : ''} ?hidden=${!isShown} title="Preview of the donation form" src="/builder/preview" @load=${tell}></iframe>
    </section>`;
}

function stateOf({ answer }: View, isShown: boolean): TemplateResult | typeof nothing {
  if (answer && 'trouble' in answer)
    return html`<p class="problem">${problemSign}<span>${answer.trouble}${answer.isLoggedOut ? html` <a href="/builder">Log in</a>` : nothing}</span></p>`;
  if (answer && 'problems' in answer)
    return html`<p class="hint">${isShown ? 'This is the form as it was last right. It follows again when' : 'The form appears here when'} all that is needed is written and right.</p>`;
  return nothing;
}
