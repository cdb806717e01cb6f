import { html, nothing, type TemplateResult } from 'lit';
import { calculateSplit, getSelectedProject, type Split } from '@donation-form/core/form-state';
import { fillPlaceholders, type OptionalFieldTexts } from '@donation-form/core/i18n';
import type { ProjectOffer } from '@donation-form/core/schemas';
import type { View } from '../form/view-model.ts';
import { MAX_PROJECTS_WITHOUT_SEARCH, renderProjectField } from './amount.ts';
import { getErrorBindings } from './field-error.ts';
import { renderOptionalField } from './optional-field.ts';
import { renderProjectList } from './project-list.ts';

export function renderProjectSection(
  view: View,
  texts: OptionalFieldTexts,
): TemplateResult | typeof nothing {
  const { context, state, totals } = view;
  const { projects, allowSplit } = context.definition;
  const split = calculateSplit(state, context, totals?.amount);
  const project = getSelectedProject(state, context);
  if (context.settings.isProjectFixed || projects.length < 2)
    return html`${renderProjectField(view)}${renderGoalProgress(view, texts, project)}`;
  const projectChooser =
    projects.length > MAX_PROJECTS_WITHOUT_SEARCH
      ? html`
    <fieldset part="project">
      <legend>${view.texts.purpose}</legend>
      <div class="group">${renderProjectList(view, texts, undefined)}</div>
    </fieldset>`
      : renderProjectField(view);
  return html`
    <div class="group">
      ${
        split
          ? html`<p class="title">${view.texts.purpose}</p>`
          : html`${projectChooser}${renderGoalProgress(view, texts, project)}`
      }
      ${
        allowSplit
          ? renderOptionalField(view, texts, {
              control: 'split.enabled',
              label: texts.splitGift,
              type: 'checkbox',
              value: 'true',
            })
          : nothing
      }
      ${
        split
          ? html`
        <fieldset part="project" aria-describedby="split-hint split.projects-error">
          <legend class="visually-hidden">${view.texts.purpose}</legend>
          <div class="group">
            <p class="hint" id="split-hint">${texts.splitHint}</p>
            ${renderProjectList(view, texts, split)}${renderSplitTotal(view, texts, split)}
          </div>
        </fieldset>`
          : nothing
      }
    </div>`;
}

function renderSplitTotal(
  view: View,
  texts: OptionalFieldTexts,
  { total: sum }: Split,
): TemplateResult {
  const { totals, formatMoney } = view;
  const { message } = getErrorBindings(view, 'split.projects');
  return html`<p role="status" .textContent=${
    totals
      ? fillPlaceholders(texts.splitTotal, {
          sum: formatMoney(sum),
          amount: formatMoney(totals.amount),
        })
      : ''
  }></p>${message}`;
}

function renderGoalProgress(
  { context: { definition }, formatMoney }: View,
  texts: OptionalFieldTexts,
  { goal, name }: ProjectOffer,
): TemplateResult | typeof nothing {
  if (!goal) return nothing;
  const { code } = definition.currencies[0];
  return html`
    <div class="goal">
      <progress max=${goal.target} value=${Math.min(goal.raised, goal.target)} aria-label=${name}></progress>
      <p class="hint" .textContent=${fillPlaceholders(texts.goalProgress, {
        raised: formatMoney(goal.raised, code),
        target: formatMoney(goal.target, code),
      })}></p>
    </div>`;
}
