import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { renderField } from '../../field.ts';
import { getListAtPath } from '../config-path.ts';
import { type BuilderView, findProblemMessage } from '../view.ts';
import { getInputValue, renderSection, renderTextField } from './fields.ts';

export function renderOrganization(view: BuilderView): TemplateResult {
  const { organization } = view;
  return renderSection(
    view,
    'Organization',
    () => html`
      <div class="fields">
        ${renderTextField(view, `${organization}.name`, 'Name', {
          hint: 'Shown to donors',
          isHalfWidth: true,
        })}
        ${renderTextField(view, `${organization}.id`, 'ID', {
          hint: 'Lowercase letters, digits, and hyphens',
          isHalfWidth: true,
        })}
        ${renderTextField(view, `${organization}.contact`, 'Email for donors’ questions', {
          inputMode: 'email',
        })}
        ${renderOriginsField(view)}
        ${renderTextField(view, `${organization}.timeZone`, 'Time zone', {
          hint: 'An IANA time zone for reports, such as Europe/Berlin. Default: UTC',
          isOptional: true,
        })}
      </div>
    `,
    true,
  );
}

function renderOriginsField(view: BuilderView): TemplateResult {
  const label = 'Websites that can show the form';
  const path = `${view.organization}.origins`;
  const origins = getListAtPath(view.draft.configuration, path).map(String);
  const setOrigins = (event: Event): void => {
    const text = getInputValue(event);
    view.setValue(path, text === '' ? [] : text.split('\n'));
  };
  const cleanOrigins = (event: Event): void => {
    const lines = getInputValue(event).split('\n');
    view.setValue(path, lines.map((line) => line.trim()).filter(Boolean));
  };
  view.fieldLabels.set(path, label);
  return renderField(
    {
      id: path,
      label,
      hint: 'One per line, such as https://example.org, without a path',
      problem: findProblemMessage(view, path),
    },
    (describedBy, isInvalid) => html`
    <textarea id=${path} rows="2" autocomplete="off" spellcheck="false" autocapitalize="off" aria-invalid=${isInvalid}
      aria-describedby=${describedBy} .value=${live(origins.join('\n'))} @input=${setOrigins}
      @change=${cleanOrigins}></textarea>`,
  );
}
