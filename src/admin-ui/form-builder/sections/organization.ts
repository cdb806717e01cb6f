import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { field } from '../../field.ts';
import { listAt } from '../file.ts';
import { problemAt, type View } from '../view.ts';
import { textField, valueOf } from './fields.ts';

/** Who asks for gifts, and on which pages. */
export function organizationGroup(view: View): TemplateResult {
  const { organization } = view;
  return html`
    <fieldset>
      <legend>Organisation</legend>
      <div class="fields">
        ${textField(view, { place: `${organization}.name`, label: 'Name', hint: 'As donors read it', isHalf: true })}
        ${textField(view, { place: `${organization}.id`, label: 'Short name', hint: 'Small letters, digits, hyphens', isHalf: true })}
        ${textField(view, { place: `${organization}.contact`, label: 'E-mail for donors’ questions', inputMode: 'email' })}
        ${originsField(view)}
        ${textField(view, { place: `${organization}.timeZone`, label: 'Time zone', hint: 'Whose days reports go by, such as Europe/Berlin. UTC where it is empty.', isOptional: true })}
      </div>
    </fieldset>`;
}

function originsField(view: View): TemplateResult {
  const label = 'Pages that may show the form';
  const place = `${view.organization}.origins`;
  const origins = listAt(view.draft.file, place).map(String);
  view.fields.set(place, label);
  return field(
    {
      id: place,
      label,
      hint: 'One site on each line, such as https://example.org, without a path',
      problem: problemAt(view, place),
    },
    (describedBy, isInvalid) => html`
    <textarea id=${place} rows="2" spellcheck="false" autocapitalize="off" aria-invalid=${isInvalid} aria-describedby=${describedBy} .value=${live(origins.join('\n'))}
      @input=${(event: Event) => view.set(place, valueOf(event) === '' ? [] : valueOf(event).split('\n'))} @change=${(
        event: Event,
      ) =>
        view.set(
          place,
          valueOf(event)
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean),
        )}></textarea>`,
  );
}
