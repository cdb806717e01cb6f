import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { field } from '../../field.ts';
import {
  PROPERTIES,
  PROPERTY_NAMES,
  shadeProblem,
  THEMES,
  themeShades,
  withShade,
  type Property,
  type Shades,
  type Theme,
} from '../look.ts';
import type { View } from '../view.ts';
import { selectField, valueOf } from './fields.ts';

const themes = Object.entries(THEMES);

/** How the form looks: a theme to begin with, and what is set beside it. */
export function lookGroup(view: View): TemplateResult {
  const {
    draft: { look },
  } = view;
  const [accent, ...others] = PROPERTY_NAMES;
  return html`
    <fieldset>
      <legend>Colours</legend>
      <p class="hint">They go into the snippet, not into the file. What is left empty is the theme’s, or the page’s.</p>
      <div class="fields">
        ${selectField({ id: 'theme', label: 'Theme', chosen: look.theme ?? '', options: [['', 'None: as the page'], ...themes], choose: (theme) => view.change({ look: { values: look.values, ...(theme !== '' && { theme: theme as Theme }) } }) })}
        ${accent && propertyFields(view, accent)}
      </div>
      <details class="more">
        <summary>More colours, corners and space</summary>
        <div class="fields">${others.map((name) => propertyFields(view, name))}</div>
      </details>
      <div role="status">${view.poor.length === 0 ? nothing : html`<ul class="poor">${view.poor.map((words) => html`<li class="warning">${words}</li>`)}</ul>`}</div>
    </fieldset>`;
}

function propertyFields(view: View, name: Property): TemplateResult {
  const { label, about, isColour } = PROPERTIES[name];
  if (!isColour) return shadeField(view, name, 'light', label, about);
  return html`${shadeField(view, name, 'light', `${label}, light`, about)}${shadeField(view, name, 'dark', `${label}, dark`, 'The theme’s, or the same, where it is empty')}`;
}

function shadeField(
  { draft: { look }, theme, change }: View,
  name: Property,
  shade: keyof Shades,
  label: string,
  hint: string,
): TemplateResult {
  const id = `look-${name}-${shade}`;
  const value = look.values[name]?.[shade] ?? '';
  const placeholder = themeShades(theme, name)[shade] ?? '';
  const shown = value || placeholder;
  const write = (text: string): void => change({ look: withShade(look, name, shade, text) });
  return field(
    { id, label, hint, problem: shadeProblem(look, name, shade, theme), isHalf: true },
    (describedBy, isInvalid) => html`
    <span class="shade">
      <input id=${id} type="text" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="100" placeholder=${placeholder} aria-invalid=${isInvalid} aria-describedby=${describedBy} .value=${live(value)} @input=${(event: Event) => write(valueOf(event).trim())}>
      ${PROPERTIES[name].isColour ? html`<input type="color" class=${value === '' ? 'unset' : ''} aria-label="Choose: ${label}" .value=${live(/^#[\da-f]{6}$/i.test(shown) ? shown : '#808080')} @input=${(event: Event) => write(valueOf(event))}>` : nothing}
    </span>`,
  );
}
