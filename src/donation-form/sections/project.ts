/** The project section of forms with many projects, project goals, or split donations. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ProjectOffer } from '@donation-form/core/schemas';
import { getFirstValue } from '../state/form-values.ts';
import { getSelectedProject } from '../state/form-state.ts';
import { calculateSplit, type SplitPart, type Split } from '../state/split.ts';
import { type OptionalFieldTexts, fillPlaceholders, formatPlural } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { getErrorBindings } from './field-error.ts';
import { renderCheckbox } from './fields.ts';
import { MAX_PROJECTS_WITHOUT_SEARCH, renderCurrencySigns, renderProjectSelect } from './amount.ts';

/**
 * Renders the project choice and, if the form offers them, the search, the split, and the goals'
 * progress.
 */
export function renderProjectSection(
  view: View,
  texts: OptionalFieldTexts,
): TemplateResult | typeof nothing {
  const { context, state, totals } = view;
  const {
    definition: { projects, allowSplit },
    settings: { isProjectFixed },
  } = context;
  const split = calculateSplit(state, context, totals?.amount);
  const project = getSelectedProject(state, context);
  if (isProjectFixed || projects.length < 2)
    return html`${renderProjectSelect(view)}${renderProgress(view, texts, project)}`;
  const projectChooser =
    projects.length > MAX_PROJECTS_WITHOUT_SEARCH
      ? html`
    <fieldset part="project">
      <legend>${view.texts.purpose}</legend>
      <div class="group">${renderProjectList(view, texts, undefined)}</div>
    </fieldset>`
      : renderProjectSelect(view);
  return html`
    <div class="group">
      ${
        split
          ? html`<p class="title">${view.texts.purpose}</p>`
          : html`${projectChooser}${renderProgress(view, texts, project)}`
      }
      ${allowSplit ? renderCheckbox(view, 'split.enabled', texts.splitGift) : nothing}
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

function renderProjectList(
  view: View,
  texts: OptionalFieldTexts,
  split: Split | undefined,
): TemplateResult {
  const {
    context: {
      definition: { projects },
    },
    language,
  } = view;
  const searchText = normalizeText(getFirstValue(view.state.optionalFields, 'project.search'));
  const matchesSearch = ({ name }: ProjectOffer): boolean =>
    searchText.split(/\s+/).every((word) => normalizeText(name).includes(word));
  const foundCount = projects.filter(matchesSearch).length;
  const search =
    projects.length <= MAX_PROJECTS_WITHOUT_SEARCH
      ? nothing
      : html`
    <div class="field">
      <label class="label" for="project.search-control">${texts.findProject}</label>
      <input
        id="project.search-control"
        name="project.search"
        type="search"
        autocomplete="off"
        enterkeyhint="search"
        maxlength="100"
        aria-describedby="projects-found"
        .value=${getFirstValue(view.state.optionalFields, 'project.search')}
        @keydown=${preventSubmitOnEnter}
      >
      <p class="hint" id="projects-found" role="status">${
        foundCount === 0
          ? texts.noProjectsFound
          : formatPlural(texts.projectsFound, foundCount, language)
      }</p>
    </div>`;
  return html`${search}<div class="projects">${projects.map((project) =>
    renderProjectRow(view, texts, project, matchesSearch(project), split),
  )}</div>`;
}

function renderProjectRow(
  view: View,
  texts: OptionalFieldTexts,
  { id, name }: ProjectOffer,
  isFound: boolean,
  split: Split | undefined,
): TemplateResult {
  const { state, formatMoney } = view;
  if (!split)
    return html`<label class="project" ?hidden=${!isFound && id !== state.projectId}><input
      type="radio"
      name="project"
      .value=${id}
      .checked=${id === state.projectId}
    ><bdi>${name}</bdi></label>`;
  const part = split.parts.find((candidate) => candidate.id === id);
  return html`
    <div class="project" ?hidden=${!isFound && !part}>
      <label><input
        type="checkbox"
        name="split.projects"
        .value=${id}
        .checked=${part !== undefined}
      ><bdi>${name}</bdi></label>
      ${
        part
          ? html`<span class="part"><span class="amount-input">${renderCurrencySigns(
              formatMoney,
              html`<input
            type="text"
            name="split.amount.${id}"
            inputmode="decimal"
            autocomplete="off"
            maxlength="20"
            aria-label=${fillPlaceholders(texts.splitAmountFor, { project: name })}
            .value=${getFirstValue(view.state.optionalFields, `split.amount.${id}`)}
          >`,
            )}</span>${renderProjectShare(part, texts, formatMoney)}</span>`
          : nothing
      }
    </div>`;
}

function renderProjectShare(
  { input: written, amount }: SplitPart,
  texts: OptionalFieldTexts,
  formatMoney: View['formatMoney'],
): TemplateResult | typeof nothing {
  return written === '' && amount !== undefined
    ? html`<span class="hint">${fillPlaceholders(texts.splitShare, { amount: formatMoney(amount) })}</span>`
    : nothing;
}

function renderSplitTotal(
  view: View,
  texts: OptionalFieldTexts,
  { total: sum }: Split,
): TemplateResult {
  const { totals, formatMoney } = view;
  const { message } = getErrorBindings(view, 'split.projects');
  return html`<p role="status">${
    totals
      ? fillPlaceholders(texts.splitTotal, {
          sum: formatMoney(sum),
          amount: formatMoney(totals.amount),
        })
      : nothing
  }</p>${message}`;
}

function renderProgress(
  { context: { definition }, formatMoney }: View,
  texts: OptionalFieldTexts,
  { goal, name }: ProjectOffer,
): TemplateResult | typeof nothing {
  if (!goal) return nothing;
  const { code } = definition.currencies[0];
  return html`
    <div class="goal">
      <progress max=${goal.target} value=${Math.min(goal.raised, goal.target)} aria-label=${name}></progress>
      <p class="hint">${fillPlaceholders(texts.goalProgress, {
        raised: formatMoney(goal.raised, code),
        target: formatMoney(goal.target, code),
      })}</p>
    </div>`;
}

function preventSubmitOnEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}

/** Converts text to lowercase and removes accents. */
function normalizeText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
