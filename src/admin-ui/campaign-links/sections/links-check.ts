import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FormDefinition } from '@donation-form/core/schemas';
import {
  type CheckedLink,
  decodeCsv,
  explainForeignSite,
  explainIgnoredValue,
  explainUnknownName,
  formatSelection,
  hasProblem,
  isMisdirected,
  listParameterNotes,
  summarizeLinks,
} from '@donation-form/core/settings';
import { renderProblem, renderSuccess } from '../../field.ts';
import { formatValueName } from '../link-fields.ts';
import type { LinksCheck, LinkView } from '../view.ts';

/** Maximum number of rows shown. Rows with problems come first. */
const MAX_ROWS = 500;

export function renderLinksCheck(
  { form, linksText, linksCheck }: LinkView,
  onInput: (text: string) => void,
): TemplateResult {
  const readFile = async ({ target }: Event): Promise<void> => {
    const [file] = (target as HTMLInputElement).files ?? [];
    if (file) onInput(decodeCsv(new Uint8Array(await file.arrayBuffer())));
  };
  const readText = ({ target }: Event): void => onInput((target as HTMLTextAreaElement).value);
  const rows = linksCheck && 'rows' in linksCheck ? linksCheck.rows : [];
  return html`
    <section class="bulk-check" aria-labelledby="bulk-check-title">
      <h2 id="bulk-check-title">Check many links</h2>
      <p class="hint" id="bulk-check-hint">Paste links or a table, or choose a CSV file. Nothing
        leaves your browser.</p>
      <div class="sources">
        <div class="field">
          <label for="file">CSV file</label>
          <input id="file" type="file" accept=".csv,.tsv,.txt,text/csv,text/plain"
            aria-describedby="bulk-check-hint" @change=${readFile}>
        </div>
        <div class="field">
          <label for="links">Links</label>
          <textarea id="links" class="code" rows="5" spellcheck="false" autocomplete="off"
            aria-describedby="bulk-check-hint" .value=${live(linksText)}
            @input=${readText}></textarea>
        </div>
      </div>
      <div role="status" id="summary">${linksCheck && renderSummary(linksCheck)}</div>
      ${rows.length > 0 ? renderLinksTable(rows, form) : nothing}
    </section>`;
}

function renderSummary(check: LinksCheck): TemplateResult {
  if ('problem' in check) return renderProblem(check.problem);
  if (check.rows.length === 0)
    return renderProblem('No links found. Enter links that start with https://.');
  const summary = html`<strong>${summarizeLinks(check.rows)}</strong>`;
  return check.rows.some(hasProblem) ? renderProblem(summary) : renderSuccess(summary);
}

function renderLinksTable(rows: readonly CheckedLink[], form: FormDefinition): TemplateResult {
  const sorted = [...rows.filter(hasProblem), ...rows.filter((row) => !hasProblem(row))];
  return html`
    <table>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Link</th>
          <th scope="col">Selects</th>
          <th scope="col">Problems</th>
        </tr>
      </thead>
      <tbody>${sorted.slice(0, MAX_ROWS).map((row) => renderLinkRow(row, form))}</tbody>
    </table>
    ${rows.length > MAX_ROWS ? html`<p class="hint">Only the first ${MAX_ROWS} links are shown.</p>` : nothing}`;
}

function renderLinkRow(row: CheckedLink, form: FormDefinition): TemplateResult {
  const { line, link, isUrl, isForeign, selects, personal } = row;
  return html`
    <tr class=${hasProblem(row) ? 'faulty' : ''}>
      <td><span class="narrow-only">Line </span>${line}</td>
      <td class="url code">${link}</td>
      <td>${isUrl ? html`<span class="narrow-only">Selects </span>${formatSelection(selects)}` : '–'}</td>
      <td>
        ${
          hasProblem(row)
            ? html`<ul class="problem-list">
              ${renderLinkProblems(row, form).map((problem) => html`<li>${renderProblem(problem)}</li>`)}
            </ul>`
            : renderSuccess('No problems')
        }
        ${isForeign && !isMisdirected(row) ? html`<p class="warning">${explainForeignSite(link)}</p>` : nothing}
        ${personal.length > 0 ? html`<p class="warning">Personal data: ${personal.join(', ')}</p>` : nothing}
        ${listParameterNotes(row).map(
          ({ kind, name, advice }) =>
            html`<p class=${kind === 'not read' ? nothing : 'warning'}><strong>${name}</strong>: ${advice}</p>`,
        )}
      </td>
    </tr>`;
}

function renderLinkProblems(row: CheckedLink, form: FormDefinition): TemplateResult[] {
  const { link, isUrl, ignored, unknown, currency } = row;
  return [
    ...(isUrl ? [] : [html`Not a URL: links start with https://`]),
    ...(isMisdirected(row) ? [html`${explainForeignSite(link)}`] : []),
    ...ignored.map(
      (value) =>
        html`<strong>${formatValueName(value)}</strong> is ignored:
          ${explainIgnoredValue(value, form, currency)}`,
    ),
    ...unknown.map((one) => html`<strong>${one.name}</strong> ${explainUnknownName(one)}`),
  ];
}
