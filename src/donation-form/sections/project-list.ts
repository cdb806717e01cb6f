/** Renders the list of projects: radio buttons, or checkboxes for a split donation. */
import { html, nothing, type TemplateResult } from 'lit';
import {
  getFirstControlValue,
  isControlChecked,
  type Split,
  type SplitPart,
} from '@donation-form/core/form-state';
import { fillPlaceholders, formatPlural } from '@donation-form/core/i18n';
import type { ProjectOffer } from '@donation-form/core/schemas';
import type { View } from '../form/view-model.ts';
import { MAX_PROJECTS_WITHOUT_SEARCH } from './amount.ts';
import { focusAfterRender } from './focus-after-render.ts';
import { renderAmountInput } from './optional-field.ts';
import { getOptionalTexts } from './optional-texts.ts';

const SEARCH_CONTROL = 'project.search';
const SEARCH_OPENED = 'project.search-opened';
/** Selector of the search field. */
const SEARCH_FIELD = `[name="${SEARCH_CONTROL}"]`;

/** Of many projects, shows a few and the selected ones until the donor opens the search. */
export function renderProjectList(view: View, split: Split | undefined): TemplateResult {
  const { context, state, applyEdits } = view;
  const { projects } = context.definition;
  const { optionalFields, projectId } = state;
  const isLong = projects.length > MAX_PROJECTS_WITHOUT_SEARCH;
  const isOpen = isLong && isControlChecked(optionalFields, SEARCH_OPENED);
  const candidates = isOpen
    ? searchProjects(projects, getFirstControlValue(optionalFields, SEARCH_CONTROL))
    : listFirstProjects(projects, context.settings.project);
  const isShown = (project: ProjectOffer): boolean =>
    candidates.includes(project) ||
    (split ? split.parts.some(({ id }) => id === project.id) : project.id === projectId);
  const hiddenCount = projects.filter((project) => !isShown(project)).length;
  const openSearch = ({ currentTarget }: Event): void => {
    applyEdits({ optionalFields: { [SEARCH_OPENED]: ['true'] } });
    void focusAfterRender(currentTarget as Element, SEARCH_FIELD);
  };
  return html`
    ${isOpen ? renderSearch(view, candidates.length) : nothing}
    <div class="projects ${isOpen && !split ? 'scrolling' : ''}">${projects.map((project) =>
      renderProjectRow(view, project, isShown(project), split),
    )}</div>
    ${
      isOpen || hiddenCount === 0
        ? nothing
        : html`<button class="secondary more" type="button" @click=${openSearch}><span .textContent=${fillPlaceholders(
            getOptionalTexts(view).moreProjects,
            { count: hiddenCount },
          )}></span></button>`
    }`;
}

/** Returns the default project and then others, in the configuration's order. */
function listFirstProjects(
  projects: readonly ProjectOffer[],
  defaultProject: ProjectOffer,
): readonly ProjectOffer[] {
  const isDefault = ({ id }: ProjectOffer): boolean => id === defaultProject.id;
  return [
    ...projects.filter(isDefault),
    ...projects.filter((project) => !isDefault(project)),
  ].slice(0, MAX_PROJECTS_WITHOUT_SEARCH);
}

function searchProjects(
  projects: readonly ProjectOffer[],
  search: string,
): readonly ProjectOffer[] {
  const words = normalizeText(search).split(/\s+/);
  return projects.filter(({ name }) => words.every((word) => normalizeText(name).includes(word)));
}

function renderSearch(view: View, foundCount: number): TemplateResult {
  const { state, applyEdits, language } = view;
  const texts = getOptionalTexts(view);
  const search = getFirstControlValue(state.optionalFields, SEARCH_CONTROL);
  const clearSearch = ({ currentTarget }: Event): void => {
    applyEdits({ optionalFields: { [SEARCH_CONTROL]: [''] } });
    void focusAfterRender(currentTarget as Element, SEARCH_FIELD);
  };
  const [before, after] = texts.noProjectsFound.split('{search}');
  return html`
    <div class="field">
      <label class="label" for="${SEARCH_CONTROL}-control">${texts.findProject}</label>
      <input
        id="${SEARCH_CONTROL}-control"
        name=${SEARCH_CONTROL}
        type="search"
        autocomplete="off"
        enterkeyhint="search"
        maxlength="100"
        aria-describedby="projects-found"
        .value=${search}
        @keydown=${preventSubmitOnEnter}
      >
      <p class="hint" id="projects-found" role="status">${
        foundCount === 0
          ? html`${before}<bdi .textContent=${search.trim()}></bdi>${after}`
          : html`<span .textContent=${formatPlural(texts.projectsFound, foundCount, language)}></span>`
      }</p>
      ${
        foundCount === 0
          ? html`<button class="secondary more" type="button" @click=${clearSearch}>${texts.clearSearch}</button>`
          : nothing
      }
    </div>`;
}

function renderProjectRow(
  view: View,
  { id, name }: ProjectOffer,
  isShown: boolean,
  split: Split | undefined,
): TemplateResult {
  const { state } = view;
  if (!split)
    return html`<label class="project" ?hidden=${!isShown}><input
      type="radio"
      name="project"
      .value=${id}
      .checked=${id === state.projectId}
    ><bdi .textContent=${name}></bdi></label>`;
  const part = split.parts.find((candidate) => candidate.id === id);
  return html`
    <div class="project" ?hidden=${!isShown}>
      <label><input
        type="checkbox"
        name="split.projects"
        .value=${id}
        .checked=${part !== undefined}
      ><bdi .textContent=${name}></bdi></label>
      ${
        part
          ? html`<span class="part">${renderAmountInput(
              view,
              html`<input
            type="text"
            name="split.amount.${id}"
            inputmode="decimal"
            autocomplete="off"
            maxlength="20"
            aria-label=${fillPlaceholders(getOptionalTexts(view).splitAmountFor, { project: name })}
            .value=${getFirstControlValue(view.state.optionalFields, `split.amount.${id}`)}
          >`,
            )}${renderProjectShare(view, part)}</span>`
          : nothing
      }
    </div>`;
}

function renderProjectShare(
  view: View,
  { input, amount }: SplitPart,
): TemplateResult | typeof nothing {
  return input === '' && amount !== undefined
    ? html`<span class="hint" translate="no" .textContent=${fillPlaceholders(getOptionalTexts(view).splitShare, { amount: view.formatMoney(amount) })}></span>`
    : nothing;
}

function preventSubmitOnEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}

function normalizeText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
