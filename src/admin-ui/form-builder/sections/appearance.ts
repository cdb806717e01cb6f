import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { renderField } from '../../field.ts';
import {
  getThemeValues,
  PROPERTIES,
  type Property,
  PROPERTY_NAMES,
  replaceSchemeValue,
  type SchemeValues,
  type Theme,
  THEME_LABELS,
  validateSchemeValue,
} from '../appearance.ts';
import type { BuilderView } from '../view.ts';
import { getInputValue, renderSection, renderSelect } from './fields.ts';

export function renderAppearance(view: BuilderView): TemplateResult {
  const [accent, ...others] = PROPERTY_NAMES;
  const { contrastWarnings } = view;
  return renderSection(
    view,
    'Colors',
    () => html`
      <p class="hint">Colors are part of the snippet, not of the configuration file. Empty fields
        use the colors of the theme or the page.</p>
      <div class="fields">
        ${renderThemeSelect(view)} ${accent && renderPropertyFields(view, accent)}
      </div>
      <details class="more">
        <summary>More colors, corners, and spacing</summary>
        <div class="fields">${others.map((name) => renderPropertyFields(view, name))}</div>
      </details>
      <div role="status">${contrastWarnings.length === 0 ? nothing : renderWarnings(contrastWarnings)}</div>
    `,
  );
}

function renderWarnings(warnings: readonly string[]): TemplateResult {
  return html`<ul class="contrast-warnings">
    ${warnings.map((warning) => html`<li class="warning">${warning}</li>`)}
  </ul>`;
}

function renderThemeSelect({ draft: { appearance }, changeDraft }: BuilderView): TemplateResult {
  const { theme = '', values } = appearance;
  return renderSelect('theme', 'Theme', {
    selected: theme,
    options: [['', 'None: match the page'], ...Object.entries(THEME_LABELS)],
    onSelect: (selected) =>
      changeDraft({
        appearance: { values, ...(selected !== '' && { theme: selected as Theme }) },
      }),
  });
}

function renderPropertyFields(view: BuilderView, name: Property): TemplateResult {
  const [kind, label, hint] = PROPERTIES[name];
  if (kind !== 'color') return renderSchemeField(view, name, 'light', label, hint);
  const darkHint = 'Default: the theme’s dark-mode color, or the light-mode color if there is none';
  return html`
    ${renderSchemeField(view, name, 'light', `${label}, light`, hint)}
    ${renderSchemeField(view, name, 'dark', `${label}, dark`, darkHint)}`;
}

function renderSchemeField(
  { draft: { appearance }, themeStyleSheet, changeDraft }: BuilderView,
  name: Property,
  scheme: keyof SchemeValues,
  label: string,
  hint: string,
): TemplateResult {
  const id = `appearance-${name}-${scheme}`;
  const value = appearance.values[name]?.[scheme] ?? '';
  const placeholder = getThemeValues(themeStyleSheet, name)[scheme] ?? '';
  const problem = validateSchemeValue(appearance, name, scheme, themeStyleSheet);
  const setValue = (text: string): void =>
    changeDraft({ appearance: replaceSchemeValue(appearance, name, scheme, text) });
  const renderColorPicker = (): TemplateResult => {
    const color = value || placeholder;
    const hexColor = /^#[\da-f]{6}$/i.test(color) ? color : '#808080';
    return html`<input type="color" class=${value === '' ? 'unset' : ''}
      aria-label="Choose: ${label}" .value=${live(hexColor)}
      @input=${(event: Event) => setValue(getInputValue(event))}>`;
  };
  return renderField(
    { id, label, hint, problem, isHalfWidth: true },
    (describedBy, isInvalid) => html`
    <span class="color-field">
      <input id=${id} type="text" autocomplete="off" autocapitalize="off" spellcheck="false"
        enterkeyhint="done" maxlength="100" placeholder=${placeholder} aria-invalid=${isInvalid}
        aria-describedby=${describedBy} .value=${live(value)}
        @input=${(event: Event) => setValue(getInputValue(event).trim())}>
      ${PROPERTIES[name][0] === 'color' ? renderColorPicker() : nothing}
    </span>`,
  );
}
