import { html, nothing, type TemplateResult } from 'lit';
import { formatCount } from '@donation-form/core/i18n';
import type { View } from '../view.ts';

/**
 * Renders fields in a collapsible section. The title shows the number of problems in the fields.
 * @param renderFields function that renders the fields and adds their labels to the view.
 */
export function renderSection(
  view: View,
  title: string,
  renderFields: () => TemplateResult,
  isInitiallyOpen = false,
): TemplateResult {
  const previousLabelCount = view.fieldLabels.size;
  const fields = renderFields();
  const paths = [...view.fieldLabels.keys()].slice(previousLabelCount);
  const problemCount = view.problems.filter(({ path: problemPath }) =>
    paths.some((path) => problemPath === path || problemPath.startsWith(`${path}.`)),
  ).length;
  return html`
    <details class="section" ?open=${isInitiallyOpen}>
      <summary><span>${title}</span>${
        problemCount === 0
          ? nothing
          : html` <span class="problem-count">${formatCount(problemCount, 'problem')}</span>`
      }</summary>
      ${fields}
    </details>`;
}
