import { html, nothing, type TemplateResult } from 'lit';
import { renderField, renderProblem } from '../../field.ts';
import { listForms } from '../draft.ts';
import { describeSandboxUse } from '../starter-configuration.ts';
import type { BuilderView } from '../view.ts';
import { renderSelect } from './fields.ts';

const FILE_HINT =
  'The file does not leave your browser. Your changes are saved in this tab, even if you reload the page.';

export interface StartingPointActions {
  readonly open: (file: File) => void;
  readonly useServerConfiguration: () => void;
  readonly startNew: () => void;
  readonly restorePrevious: (() => void) | undefined;
}

export function renderStartingPoint(
  view: BuilderView,
  actions: StartingPointActions,
): TemplateResult {
  const { useServerConfiguration, startNew, restorePrevious } = actions;
  const { source: message, sourceError: error } = view.messages;
  const sandboxHint = describeSandboxUse(view.draft.configuration, view.organization);
  const openFile = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file) actions.open(file);
    input.value = '';
  };
  return html`
    <section class="source" aria-labelledby="source-title">
      <h2 id="source-title" class="visually-hidden" tabindex="-1">Starting point</h2>
      ${renderFormSelect(view)}
      <details>
        <summary>Start from another configuration</summary>
        <div class="actions start-actions">
          ${renderButton('Use this server’s configuration', useServerConfiguration)}
          ${renderButton('Start with an empty form', startNew)}
        </div>
        ${renderField(
          { id: 'open', label: 'Open a configuration file', hint: FILE_HINT },
          (describedBy) => html`
          <input id="open" type="file" accept=".json,application/json" aria-describedby=${describedBy}
            @change=${openFile}>`,
        )}
      </details>
      ${restorePrevious ? renderButton('Restore the previous draft', restorePrevious) : nothing}
      <div role="status">${renderParagraph(message, 'status-message')}${renderParagraph(sandboxHint, 'hint')}</div>
      <div role="alert">${error === undefined ? nothing : renderProblem(error)}</div>
    </section>`;
}

function renderButton(label: string, onClick: () => void): TemplateResult {
  return html`<button type="button" @click=${onClick}>${label}</button>`;
}

function renderParagraph(
  text: string | undefined,
  className: string,
): TemplateResult | typeof nothing {
  return text === undefined ? nothing : html`<p class=${className}>${text}</p>`;
}

function renderFormSelect({ draft, changeDraft }: BuilderView): TemplateResult | typeof nothing {
  const forms = listForms(draft.configuration);
  if (forms.length < 2) return nothing;
  return renderSelect('form', 'Form', {
    selected: `${draft.organization}.${draft.form}`,
    options: forms.map(({ organization, form, name }) => [`${organization}.${form}`, name]),
    onSelect: (selected) => {
      const [organization = 0, form = 0] = selected.split('.').map(Number);
      changeDraft({ organization, form });
    },
  });
}
