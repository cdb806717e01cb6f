import { html, nothing, type TemplateResult } from 'lit';
import { problemSign } from '@donation-form/donation-form/internal';
import { formsIn } from '../draft.ts';
import { sandboxWords } from '../empty.ts';
import type { View } from '../view.ts';
import { selectField } from './fields.ts';

/** Where a draft can come from. */
export interface Sources {
  readonly open: (file: File) => void;
  readonly takeRunning: () => void;
  readonly takeEmpty: () => void;
  /** Takes back what was there before; absent where there was nothing. */
  readonly takeBack: (() => void) | undefined;
}

/** What is worked on, and how to work on something else. */
export function sourceCard(
  view: View,
  { open, takeRunning, takeEmpty, takeBack }: Sources,
): TemplateResult {
  const { draft, said } = view;
  const forms = formsIn(draft.file);
  const sandbox = sandboxWords(draft.file, view.organization);
  const choose = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file) open(file);
    input.value = '';
  };
  return html`
    <section class="card source" aria-labelledby="source-title">
      <h2 id="source-title" tabindex="-1">What you work on</h2>
      ${
        forms.length < 2
          ? nothing
          : selectField({
              id: 'form',
              label: 'Form',
              chosen: `${draft.organization}.${draft.form}`,
              options: forms.map(({ organization, form, name }) => [
                `${organization}.${form}`,
                name,
              ]),
              choose: (chosen) => {
                const [organization = 0, form = 0] = chosen.split('.').map(Number);
                view.change({ organization, form });
              },
            })
      }
      <div class="actions beginning">
        <button class="quiet" type="button" @click=${takeRunning}>Begin with what this server runs</button>
        <button class="quiet" type="button" @click=${takeEmpty}>Begin with an empty form</button>
        ${takeBack ? html`<button class="quiet" type="button" @click=${takeBack}>Take back what was here before</button>` : nothing}
      </div>
      <div class="field opening">
        <label for="open">Or open a configuration file</label>
        <p class="hint" id="open-hint">It is read in this browser. What you write stays in this tab, also when the page is loaded again.</p>
        <input id="open" type="file" accept=".json,application/json" aria-describedby="open-hint" @change=${choose}>
      </div>
      <div role="status">${said.source === undefined ? nothing : html`<p class="said">${said.source}</p>`}${sandbox === undefined ? nothing : html`<p class="hint">${sandbox}</p>`}</div>
      <div role="alert">${said.refused === undefined ? nothing : html`<p class="problem">${problemSign}<span>${said.refused}</span></p>`}</div>
    </section>`;
}
