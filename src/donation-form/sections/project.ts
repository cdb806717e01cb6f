import { html, nothing, type TemplateResult } from 'lit';
import { calculateSplit, getSelectedProject, type Split } from '@donation-form/core/form-state';
import { fillPlaceholders } from '@donation-form/core/i18n';
import type { ProjectOffer } from '@donation-form/core/schemas';
import type { View } from '../form/view-model.ts';
import { MAX_PROJECTS_WITHOUT_SEARCH, renderProjectField } from './amount.ts';
import { getErrorBindings } from './field-error.ts';
import { renderOptionalField } from './optional-field.ts';
import { getOptionalTexts } from './optional-texts.ts';
import { renderProjectList } from './project-list.ts';

export function renderProjectSection(view: View): TemplateResult | typeof nothing {
  const { context, state, totals } = view;
  const texts = getOptionalTexts(view);
  const { projects, allowSplit } = context.definition;
  const split = calculateSplit(state, context, totals?.amount);
  const project = getSelectedProject(state, context);
  if (context.settings.isProjectFixed || projects.length < 2)
    return html`${renderProjectField(view)}${renderGoalProgress(view, project)}`;
  const projectChooser =
    projects.length > MAX_PROJECTS_WITHOUT_SEARCH
      ? html`
    <fieldset part="project">
      <legend>${view.texts.purpose}</legend>
      <div class="group">${renderProjectList(view, undefined)}</div>
    </fieldset>`
      : renderProjectField(view);
  return html`
    <div class="group">
      ${
        split
          ? html`<p class="title">${view.texts.purpose}</p>`
          : html`${projectChooser}${renderGoalProgress(view, project)}`
      }
      ${
        allowSplit
          ? renderOptionalField(view, {
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
            ${renderProjectList(view, split)}${renderSplitTotal(view, split)}
          </div>
        </fieldset>`
          : nothing
      }
    </div>`;
}

function renderSplitTotal(view: View, { total: sum }: Split): TemplateResult {
  const { totals, formatMoney } = view;
  const { message } = getErrorBindings(view, 'split.projects');
  return html`<p role="status" .textContent=${
    totals
      ? fillPlaceholders(getOptionalTexts(view).splitTotal, {
          sum: formatMoney(sum),
          amount: formatMoney(totals.amount),
        })
      : ''
  }></p>${message}`;
}

function renderGoalProgress(
  view: View,
  { goal, name }: ProjectOffer,
): TemplateResult | typeof nothing {
  if (!goal) return nothing;
  const { context, formatMoney } = view;
  const { code } = context.definition.currencies[0];
  return html`
    <div class="goal">
      <progress max=${goal.target} value=${Math.min(goal.raised, goal.target)} aria-label=${name}></progress>
      <p class="hint" .textContent=${fillPlaceholders(getOptionalTexts(view).goalProgress, {
        raised: formatMoney(goal.raised, code),
        target: formatMoney(goal.target, code),
      })}></p>
    </div>`;
}
