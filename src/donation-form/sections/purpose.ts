/**
 * The project of a gift where there is more to say of it than a name in a short list: many of them,
 * a goal, or several parts.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { ProjectOffer } from '@donation-form/core/schemas';
import { firstOf } from '../state/form-values.ts';
import { projectOf } from '../state/form-state.ts';
import { splitOf, type Part, type Split } from '../state/split.ts';
import { type MoreTexts, fill, plural } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { fieldProblem } from './field-error.ts';
import { box } from './fields.ts';
import { FEW_PROJECTS, purposeSection as plainSection } from './amount.ts';

export function purposeSection(view: View, texts: MoreTexts): TemplateResult | typeof nothing {
  const { context, state, sums } = view;
  const {
    definition: { projects, allowSplit },
    settings: { isProjectFixed },
  } = context;
  const split = splitOf(state, context, sums?.amount);
  const shown = projectOf(state, context);
  if (isProjectFixed || projects.length < 2)
    return html`${plainSection(view)}${progress(view, texts, shown)}`;
  const chooser =
    projects.length > FEW_PROJECTS
      ? html`
    <fieldset part="purpose">
      <legend>${view.texts.purpose}</legend>
      <div class="group">${list(view, texts, undefined)}</div>
    </fieldset>`
      : plainSection(view);
  return html`
    <div class="group">
      ${split ? html`<p class="title">${view.texts.purpose}</p>` : html`${chooser}${progress(view, texts, shown)}`}
      ${allowSplit ? box(view, 'split.on', texts.split) : nothing}
      ${
        split
          ? html`
        <fieldset part="purpose" aria-describedby="split-hint split.chosen-problem">
          <legend class="unseen">${view.texts.purpose}</legend>
          <div class="group">
            <p class="hint" id="split-hint">${texts.splitHint}</p>
            ${list(view, texts, split)}${splitSum(view, texts, split)}
          </div>
        </fieldset>`
          : nothing
      }
    </div>`;
}

function list(view: View, texts: MoreTexts, split: Split | undefined): TemplateResult {
  const {
    context: {
      definition: { projects },
    },
    language,
  } = view;
  const sought = plain(firstOf(view.state.more, 'project.find'));
  const isFound = ({ name }: ProjectOffer): boolean =>
    sought.split(/\s+/).every((word) => plain(name).includes(word));
  const found = projects.filter(isFound).length;
  const search =
    projects.length <= FEW_PROJECTS
      ? nothing
      : html`
    <div class="field">
      <label class="label" for="project.find-control">${texts.findProject}</label>
      <input id="project.find-control" name="project.find" type="search" autocomplete="off" maxlength="100" aria-describedby="projects-found" .value=${firstOf(view.state.more, 'project.find')} @keydown=${keepInField}>
      <p class="hint" id="projects-found" role="status">${found === 0 ? texts.noProject : plural(texts.projectsFound, found, language)}</p>
    </div>`;
  return html`${search}<div class="projects">${projects.map((project) => row(view, texts, project, isFound(project), split))}</div>`;
}

function row(
  view: View,
  texts: MoreTexts,
  { id, name }: ProjectOffer,
  isFound: boolean,
  split: Split | undefined,
): TemplateResult {
  const { state, formatMoney } = view;
  if (!split)
    return html`<label class="project" ?hidden=${!isFound}><input type="radio" name="project" .value=${id} .checked=${id === state.projectId}><bdi>${name}</bdi></label>`;
  const part = split.parts.find((candidate) => candidate.id === id);
  return html`
    <div class="project" ?hidden=${!isFound && !part}>
      <label><input type="checkbox" name="split.chosen" .value=${id} .checked=${part !== undefined}><bdi>${name}</bdi></label>
      ${part ? html`<span class="part"><input type="text" name="part.${id}" inputmode="decimal" autocomplete="off" maxlength="20" aria-label=${fill(texts.partFor, { project: name })} .value=${firstOf(view.state.more, `part.${id}`)}>${share(part, texts, formatMoney)}</span>` : nothing}
    </div>`;
}

function share(
  { written, amount }: Part,
  texts: MoreTexts,
  formatMoney: View['formatMoney'],
): TemplateResult | typeof nothing {
  return written === '' && amount !== undefined
    ? html`<span class="hint">${fill(texts.shareOfRest, { amount: formatMoney(amount) })}</span>`
    : nothing;
}

function splitSum(view: View, texts: MoreTexts, { sum }: Split): TemplateResult {
  const { sums, formatMoney } = view;
  const { message } = fieldProblem(view, 'split.chosen');
  return html`<p role="status">${sums ? fill(texts.splitSum, { sum: formatMoney(sum), amount: formatMoney(sums.amount) }) : nothing}</p>${message}`;
}

/** How far a project has come. */
function progress(
  { context: { definition }, formatMoney }: View,
  texts: MoreTexts,
  { goal, name }: ProjectOffer,
): TemplateResult | typeof nothing {
  if (!goal) return nothing;
  const { code } = definition.currencies[0];
  return html`
    <div class="goal">
      <progress max=${goal.target} value=${Math.min(goal.raised, goal.target)} aria-label=${name}></progress>
      <p class="hint">${fill(texts.goal, { raised: formatMoney(goal.raised, code), target: formatMoney(goal.target, code) })}</p>
    </div>`;
}

/** Enter in a search sends no gift. */
function keepInField(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}

/** Without accents and capitals. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
