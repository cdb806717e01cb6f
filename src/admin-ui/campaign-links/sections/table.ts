import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FormDefinition } from '@donation-form/core/schemas';
import { problemSign } from '@donation-form/donation-form/internal';
import { decodeTable, isFaulty, summaryOf, type LinkRow } from '@donation-form/core/settings';
import { goodSign } from '../../good-sign.ts';
import type { View } from '../view.ts';
import { placeOf, whyIgnored } from '../words.ts';

/** How many rows are shown: those with a problem stand first. */
const MOST_ROWS = 500;

/** Many links at once: where they come from, and what the form makes of each. */
export function tableCard(
  { form, tableText, table }: View,
  read: (text: string) => void,
): TemplateResult {
  const choose = async ({ target }: Event): Promise<void> => {
    const [file] = (target as HTMLInputElement).files ?? [];
    if (file) read(decodeTable(new Uint8Array(await file.arrayBuffer())));
  };
  return html`
    <section class="many" aria-labelledby="many-title">
      <h2 id="many-title">Check many links at once</h2>
      <p class="hint" id="many-hint">Paste links or a table, or choose a CSV file. It is read here in your browser and sent nowhere.</p>
      <div class="sources">
        <div class="field"><label for="file">CSV file</label><input id="file" type="file" accept=".csv,.tsv,.txt,text/csv,text/plain" aria-describedby="many-hint" @change=${choose}></div>
        <div class="field"><label for="table">Links</label><textarea id="table" class="code" rows="5" spellcheck="false" autocomplete="off" aria-describedby="many-hint" .value=${live(tableText)} @input=${({ target }: Event) => read((target as HTMLTextAreaElement).value)}></textarea></div>
      </div>
      <div role="status" id="summary">${table && summary(table)}</div>
      ${table && 'rows' in table && table.rows.length > 0 ? rowsTable(table.rows, form) : nothing}
    </section>`;
}

function summary(table: NonNullable<View['table']>): TemplateResult {
  if ('problem' in table)
    return html`<p class="problem">${problemSign}<span>${table.problem}</span></p>`;
  if (table.rows.length === 0)
    return html`<p class="problem">${problemSign}<span>No link was found. A link begins with https://.</span></p>`;
  const isGood = !table.rows.some(isFaulty);
  return html`<p class=${isGood ? 'good' : 'problem'}>${isGood ? goodSign : problemSign}<strong>${summaryOf(table.rows)}</strong></p>`;
}

function rowsTable(rows: readonly LinkRow[], form: FormDefinition): TemplateResult {
  const sorted = [...rows.filter(isFaulty), ...rows.filter((row) => !isFaulty(row))];
  return html`
    <table>
      <thead><tr><th scope="col">Line</th><th scope="col">Link</th><th scope="col">Opens with</th><th scope="col">What does not count</th></tr></thead>
      <tbody>${sorted.slice(0, MOST_ROWS).map((row) => tableRow(row, form))}</tbody>
    </table>
    ${rows.length > MOST_ROWS ? html`<p class="hint">The first ${MOST_ROWS} are shown. Mend them, or check fewer links at once.</p>` : nothing}`;
}

function tableRow(row: LinkRow, form: FormDefinition): TemplateResult {
  const { line, link, isAddress, selected } = row;
  return html`
    <tr class=${isFaulty(row) ? 'faulty' : ''}>
      <td><span class="narrow-only">Line </span>${line}</td>
      <td class="address code">${link}</td>
      <td>${isAddress ? html`<span class="narrow-only">Opens with </span>${selected.join(' · ') || 'the form as it is'}` : '–'}</td>
      <td>${isFaulty(row) ? html`<ul class="problem-list">${faultsOf(row, form).map((words) => html`<li class="problem">${problemSign}<span>${words}</span></li>`)}</ul>` : html`<p class="good">${goodSign}<span>All of it counts</span></p>`}
        ${row.personal.length > 0 ? html`<p class="warning">Personal data: ${row.personal.join(', ')}</p>` : nothing}</td>
    </tr>`;
}

function faultsOf(
  { isAddress, ignored, unknown, currency }: LinkRow,
  form: FormDefinition,
): TemplateResult[] {
  return [
    ...(isAddress ? [] : [html`No web address: a link begins with https://`]),
    ...ignored.map(
      (one) => html`<strong>${placeOf(one)}</strong>: ${whyIgnored(one, form, currency)}`,
    ),
    ...unknown.map(({ name, meant }) => html`<strong>${name}</strong>: did you mean ${meant}?`),
  ];
}
