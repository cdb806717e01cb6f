import { html } from 'hono/html';
import type { Html } from '../../http/render-document.ts';

export type Choice = readonly [value: string, label: string];

/** @param id of the element. Default: its name. */
export function renderSelect(
  name: string,
  label: string,
  choices: readonly Choice[],
  value = '',
  id = name,
): Html {
  const options = choices.map(
    ([choice, text]) =>
      html`<option value="${choice}"${choice === value ? html` selected` : ''}>${text}</option>`,
  );
  return html`<div><label for="${id}">${label}</label><select id="${id}" name="${name}">${options}</select></div>`;
}

export function renderOrganizationSelect(
  organizations: readonly { readonly id: string; readonly name: string }[],
  selected: string,
): Html {
  const choices = organizations.map(({ id, name }) => [id, name] as const);
  return renderSelect('organization', 'Organization', choices, selected);
}
