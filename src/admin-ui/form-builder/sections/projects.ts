import { html, type TemplateResult } from 'lit';
import { listAt, textAt, valueAt, type Place } from '../file.ts';
import { wordsShown } from '../translations.ts';
import { problemAt, type View } from '../view.ts';
import {
  addButton,
  entryActions,
  listProblem,
  plainField,
  textField,
  wordsField,
} from './fields.ts';

/** What a gift may be for. */
export function projectsGroup(view: View): TemplateResult {
  const {
    draft: { file, language },
    form,
  } = view;
  const list = `${form}.projects`;
  const projects = listAt(file, list);
  return html`
    <fieldset>
      <legend>Projects</legend>
      <p class="hint">What a gift may be for. The first is chosen beforehand; one alone is not shown.</p>
      ${listProblem(view, list, 'Projects')}
      <div class="entries">${projects.map((_project, index) => {
        const place = `${list}.${index}`;
        const name = wordsShown(valueAt(file, `${place}.name`), language);
        return html`
          <details class="project" ?open=${view.opened.has(place) || problemAt(view, place) !== undefined} @toggle=${({ target }: Event) => view.toggle(place, (target as HTMLDetailsElement).open)}>
            <summary><span>${name || 'New project'}</span></summary>
            <div class="fields">
              ${wordsField(view, { place: `${place}.name`, label: 'Name' })}
              ${textField(view, { place: `${place}.code`, label: 'Code', hint: 'Names it in links', isHalf: true, isOptional: true })}
              ${textField(view, { place: `${place}.id`, label: 'Id', hint: 'Your platform’s', isHalf: true })}
              ${goalField(view, `${place}.goal`, 'target', 'Goal', 'Not shown where it is empty')}
              ${goalField(view, `${place}.goal`, 'raised', 'Raised', 'In the first currency')}
            </div>
            ${entryActions(view, list, index, name === '' ? `project ${index + 1}` : name)}
          </details>`;
      })}</div>
      ${addButton(view, list, 'Add a project', { id: nextId(view, list, projects.length), name: '' }, 'name')}
    </fieldset>`;
}

/** A goal is there while it has a target. */
function goalField(
  view: View,
  goal: Place,
  name: 'target' | 'raised',
  label: string,
  hint: string,
): TemplateResult {
  const { file } = view.draft;
  const place = `${goal}.${name}`;
  const raised = textAt(file, `${goal}.raised`) || '0';
  const target = textAt(file, `${goal}.target`);
  return plainField(view, {
    place,
    label,
    hint,
    isHalf: true,
    inputMode: 'decimal',
    value: textAt(file, place),
    write: (text) => {
      if (text === '' && (name === 'target' || target === '')) return view.set(goal, undefined);
      view.set(goal, name === 'target' ? { raised, target: text } : { raised: text, target });
    },
  });
}

/** An id that no project has. */
function nextId({ draft: { file } }: View, list: Place, count: number): string {
  const taken = listAt(file, list).map((_one, index) => textAt(file, `${list}.${index}.id`));
  return (
    Array.from({ length: count + 1 }, (_one, index) => String(index + 1)).find(
      (id) => !taken.includes(id),
    ) ?? ''
  );
}
