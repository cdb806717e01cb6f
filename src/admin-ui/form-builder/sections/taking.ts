import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { problemSign } from '@donation-form/donation-form/internal';
import { field } from '../../field.ts';
import { goodSign } from '../../good-sign.ts';
import { otherFormAt } from '../draft.ts';
import { textAt, valueAt, variablesIn, type Place } from '../file.ts';
import { styleSheetOf } from '../look.ts';
import { endpointProblem, snippetOf } from '../snippet.ts';
import type { Part, View } from '../view.ts';
import { partOf } from '../words.ts';
import { selectField, valueOf } from './fields.ts';

/** What is done with what was made. */
export interface Taking {
  readonly copyFile: (text: string) => void;
  readonly saveFile: (text: string, name: string) => void;
  readonly copySnippet: (text: string | undefined) => void;
  /** Leads to the field of a place. */
  readonly lead: (place: Place) => void;
  /** A field was left. */
  readonly leave: (event: FocusEvent) => void;
}

/** The file and the snippet. */
export function takingSection(view: View, taking: Taking): TemplateResult {
  return html`
    <section class="taking" aria-labelledby="taking-title" @focusout=${taking.leave}>
      <h2 id="taking-title" tabindex="-1">What you take along</h2>
      ${problemList(view, taking.lead)}
      <div class="columns">${fileCard(view, taking)}${snippetCard(view, taking)}</div>
    </section>`;
}

/** All that keeps a server from starting with the file. */
function problemList(
  { draft, answer, problems, fields }: View,
  lead: (place: Place) => void,
): TemplateResult {
  const isWrong = answer && 'problems' in answer;
  const link = (place: Place, words: string) =>
    html`<a href="#problems" @click=${(event: Event) => {
      event.preventDefault();
      lead(place);
    }}>${words}</a>`;
  const fieldOf = (at: Place): Place | undefined =>
    at
      .split('.')
      .map((_step, index, steps) => steps.slice(0, steps.length - index).join('.'))
      .find((place) => fields.has(place));
  return html`
    <div id="problems" tabindex="-1">
      ${
        !isWrong
          ? nothing
          : html`<p class="problem">${problemSign}<strong>No server starts with this file yet${problems.length === 0 ? ': something is still to be written' : ''}.</strong></p>
        <ul>${problems.map(({ at, words }) => {
          const place = fieldOf(at);
          const other = place === undefined ? otherFormAt(draft, at) : undefined;
          return html`<li>${place === undefined ? nothing : html`${link(place, `${fields.get(place)} (${partOf(place)})`)} `}<code>${at || 'The file'}</code>: ${words}${other === undefined ? nothing : html`. ${link('form', `It is of another form: choose ${other}`)}`}</li>`;
        })}</ul>
        ${problems.every(({ at }) => fieldOf(at) ?? otherFormAt(draft, at)) ? nothing : html`<p class="hint">What has no field here is mended in the file itself: docs/configuration.md.</p>`}`
      }
      ${answer && 'definition' in answer ? html`<p class="good">${goodSign}<span>A server takes this file. ${answer.definition.isTest ? 'It is a test: no money moves.' : 'It is live: gifts by this form move money.'}</span></p>` : nothing}
    </div>`;
}

const PARTS: Readonly<Record<Part, string>> = {
  file: 'The whole file',
  organization: 'This organisation',
  form: 'This form',
};

function fileCard(view: View, { copyFile, saveFile }: Taking): TemplateResult {
  const {
    draft: { file },
    part,
    organization,
    form,
    said,
  } = view;
  const taken = part === 'file' ? file : valueAt(file, view[part]);
  const text = `${JSON.stringify(taken, null, 2)}\n`;
  const variables = variablesIn(taken);
  const name =
    part === 'file'
      ? 'donation-form.config.json'
      : `${part}-${textAt(file, `${part === 'form' ? form : organization}.id`).replaceAll(/[^\w-]/g, '_')}.json`;
  return html`
    <section class="card" aria-labelledby="file-title">
      <h3 id="file-title">Configuration</h3>
      ${selectField({ id: 'part', label: 'Take', chosen: part, options: Object.entries(PARTS), choose: (chosen) => view.see({ part: chosen as Part }) })}
      <textarea id="file" class="code" rows="14" readonly spellcheck="false" aria-labelledby="file-title" .value=${live(text)}></textarea>
      <div class="actions"><button class="strong" type="button" @click=${() => saveFile(text, name)}>Download</button><button class="quiet" type="button" @click=${() => copyFile(text)}>Copy</button><p class="said" role="status">${said.file}</p></div>
      <p class="hint">What this page has no field for, such as ways to pay, consents and custom fields, stays as it was: docs/configuration.md has all of it.
        ${variables.length === 0 ? nothing : html`No secret stands in the file; it names ${variables.map((variable, index) => html`${index > 0 ? ', ' : ''}<code>${variable}</code>`)} of the server’s environment.`}</p>
    </section>`;
}

function snippetCard(view: View, { copySnippet }: Taking): TemplateResult {
  const {
    draft: { file, look, endpoint },
    organization,
    form,
    theme,
    said,
  } = view;
  const snippet =
    endpointProblem(endpoint) === undefined
      ? snippetOf({
          endpoint,
          form: textAt(file, `${form}.id`),
          theme: look.theme,
          styleSheet: styleSheetOf(look, theme),
          organization: textAt(file, `${organization}.name`),
          contact: textAt(file, `${organization}.contact`),
        })
      : undefined;
  return html`
    <section class="card" aria-labelledby="snippet-title">
      <h3 id="snippet-title">Snippet for your page</h3>
      ${field(
        {
          id: 'endpoint',
          label: 'Endpoint’s address',
          hint: 'Where browsers reach your donation endpoint, such as https://give.example.org',
          problem: view.endpointProblem,
        },
        (describedBy, isInvalid) => html`
        <input id="endpoint" type="url" autocomplete="off" autocapitalize="off" spellcheck="false" required aria-invalid=${isInvalid} aria-describedby=${describedBy} .value=${live(endpoint)} @input=${(event: Event) => view.change({ endpoint: valueOf(event).trim() })}>`,
      )}
      ${snippet === undefined ? html`<p class="empty">Write the endpoint’s address, and the snippet appears here.</p>` : html`<textarea id="snippet" class="code" rows="10" readonly spellcheck="false" aria-labelledby="snippet-title" .value=${live(snippet)}></textarea>`}
      <div class="actions"><button class="strong" type="button" @click=${() => copySnippet(snippet)}>Copy snippet</button><p class="said" role="status">${said.snippet}</p></div>
      <p class="hint">The page’s site has to stand among the pages that may show the form, above.</p>
    </section>`;
}
