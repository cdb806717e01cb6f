import { html, type TemplateResult } from 'lit';
import { type ConfigPath, getListAtPath, getTextAtPath, readConfigValue } from '../config-path.ts';
import { getDisplayedText } from '../translations.ts';
import { type BuilderView, findProblemMessage } from '../view.ts';
import {
  renderAddButton,
  renderEntryActions,
  renderInput,
  renderListProblem,
  renderSection,
  renderTextField,
  renderTranslatedField,
} from './fields.ts';

export function renderProjects(view: BuilderView): TemplateResult {
  const list = `${view.form}.projects`;
  const projects = getListAtPath(view.draft.configuration, list);
  const newProject = { id: findUnusedId(view, list, projects.length), name: '' };
  return renderSection(
    view,
    'Projects',
    () => html`
      <p class="hint">Donors choose one. The first is preselected; a single project is not shown.</p>
      ${renderListProblem(view, list, 'Projects')}
      <div class="entries">${projects.map((_project, index) => renderProjectEntry(view, list, index))}</div>
      ${renderAddButton(view, list, 'Add project', newProject, 'name')}
    `,
  );
}

function renderProjectEntry(view: BuilderView, list: ConfigPath, index: number): TemplateResult {
  const { configuration, language } = view.draft;
  const path = `${list}.${index}`;
  const name = getDisplayedText(readConfigValue(configuration, `${path}.name`), language);
  const isOpen = view.openEntries.has(path) || findProblemMessage(view, path) !== undefined;
  const toggle = ({ target }: Event): void =>
    view.toggleEntry(path, (target as HTMLDetailsElement).open);
  return html`
    <details class="project" ?open=${isOpen} @toggle=${toggle}>
      <summary><span>${name || 'New project'}</span></summary>
      <div class="fields">
        ${renderTranslatedField(view, `${path}.name`, 'Name')}
        ${renderTextField(view, `${path}.code`, 'Code', {
          hint: 'A short name for campaign links, such as WATER',
          isHalfWidth: true,
          isOptional: true,
        })}
        ${renderTextField(view, `${path}.id`, 'ID', {
          hint: 'The project’s ID in your fundraising platform',
          isHalfWidth: true,
        })}
        ${renderGoalField(view, `${path}.goal`, 'target', 'Goal', 'Hidden if empty')}
        ${renderGoalField(view, `${path}.goal`, 'raised', 'Raised', 'Amount in the first currency')}
      </div>
      ${renderEntryActions(view, list, index, name === '' ? `project ${index + 1}` : name)}
    </details>`;
}

/** Renders a field of a project's goal. Removes the goal if the user clears its target. */
function renderGoalField(
  view: BuilderView,
  goal: ConfigPath,
  name: 'target' | 'raised',
  label: string,
  hint: string,
): TemplateResult {
  const { configuration } = view.draft;
  const path = `${goal}.${name}`;
  const raised = getTextAtPath(configuration, `${goal}.raised`) || '0';
  const target = getTextAtPath(configuration, `${goal}.target`);
  return renderInput(view, {
    path,
    label,
    hint,
    isHalfWidth: true,
    inputMode: 'decimal',
    value: getTextAtPath(configuration, path),
    onInput: (text) => {
      const isRemoved = text === '' && (name === 'target' || target === '');
      if (isRemoved) return view.setValue(goal, undefined);
      view.setValue(goal, name === 'target' ? { raised, target: text } : { raised: text, target });
    },
  });
}

function findUnusedId(
  { draft: { configuration } }: BuilderView,
  list: ConfigPath,
  count: number,
): string {
  const usedIds = getListAtPath(configuration, list).map((_project, index) =>
    getTextAtPath(configuration, `${list}.${index}.id`),
  );
  const candidates = Array.from({ length: count + 1 }, (_candidate, index) => String(index + 1));
  return candidates.find((id) => !usedIds.includes(id)) ?? '';
}
