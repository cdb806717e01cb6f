import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { renderField, renderProblem, renderSuccess } from '../../field.ts';
import { buildStyleSheet } from '../appearance.ts';
import {
  type ConfigPath,
  getTextAtPath,
  listEnvironmentVariables,
  readConfigValue,
} from '../config-path.ts';
import { findOtherFormAtPath } from '../draft.ts';
import type { PreviewProblem } from '../form-preview.ts';
import { describePath } from '../labels.ts';
import { buildSnippet, validateEndpoint } from '../snippet.ts';
import type { BuilderView, ExportScope } from '../view.ts';
import { getInputValue, renderSelect } from './fields.ts';

export interface ExportActions {
  readonly copyFile: (text: string) => void;
  readonly downloadFile: (text: string, name: string) => void;
  readonly copySnippet: (text: string | undefined) => void;
  readonly focusField: (path: ConfigPath) => void;
  readonly markTouched: (event: FocusEvent) => void;
}

export function renderExport(view: BuilderView, actions: ExportActions): TemplateResult {
  return html`
    <section class="export" aria-labelledby="export-title" @focusout=${actions.markTouched}>
      <h2 id="export-title" tabindex="-1">Configuration file and snippet</h2>
      <div id="problems" tabindex="-1">
        ${renderValidationResult(view, actions.focusField)}
      </div>
      <div class="panes">${renderFileCard(view, actions)}${renderSnippetCard(view, actions)}</div>
    </section>`;
}

function renderValidationResult(
  view: BuilderView,
  focusField: ExportActions['focusField'],
): TemplateResult | typeof nothing {
  const { previewResult } = view;
  if (previewResult && 'problems' in previewResult) return renderProblems(view, focusField);
  if (!previewResult || !('definition' in previewResult)) return nothing;
  const mode = previewResult.definition.isTest
    ? 'This is a test form: no money moves.'
    : 'This is a live form: donors are charged.';
  return renderSuccess(`This configuration is valid. ${mode}`);
}

const FIX_IN_FILE_HINT =
  'If a problem has no link, fix it in the configuration file. See docs/reference/configuration.md.';

function renderProblems(
  view: BuilderView,
  focusField: ExportActions['focusField'],
): TemplateResult {
  const { draft, problems, fieldLabels } = view;
  const isFixableHere = ({ path }: PreviewProblem): boolean =>
    findNearestLabeledPath(path, fieldLabels) !== undefined ||
    findOtherFormAtPath(draft, path) !== undefined;
  const reason = problems.length === 0 ? ': some fields are still empty' : '';
  return html`
    ${renderProblem(html`<strong>This configuration is not valid yet${reason}.</strong>`)}
    <ul>${problems.map((problem) => renderProblemItem(problem, view, focusField))}</ul>
    ${problems.every(isFixableHere) ? nothing : html`<p class="hint">${FIX_IN_FILE_HINT}</p>`}`;
}

function renderProblemItem(
  { path, message }: PreviewProblem,
  { draft, fieldLabels }: BuilderView,
  focusField: ExportActions['focusField'],
): TemplateResult {
  const renderLink = (target: ConfigPath, text: string): TemplateResult => {
    const focusTarget = (event: Event): void => {
      event.preventDefault();
      focusField(target);
    };
    return html`<a href="#problems" @click=${focusTarget}>${text}</a>`;
  };
  const field = findNearestLabeledPath(path, fieldLabels);
  if (field !== undefined) {
    const link = renderLink(field, `${fieldLabels.get(field)} (${describePath(field)})`);
    return html`<li>${link} <code>${path}</code>: ${message}</li>`;
  }
  const otherForm = findOtherFormAtPath(draft, path);
  const formLink = otherForm && renderLink('form', `Switch to the form ${otherForm}`);
  const suffix = formLink ? html`. ${formLink}` : nothing;
  return html`<li><code>${path || 'The file'}</code>: ${message}${suffix}</li>`;
}

/** Finds the field for the value at a path or for the nearest enclosing value. */
function findNearestLabeledPath(
  path: ConfigPath,
  fieldLabels: ReadonlyMap<ConfigPath, string>,
): ConfigPath | undefined {
  const steps = path.split('.');
  return steps
    .map((_step, index) => steps.slice(0, steps.length - index).join('.'))
    .find((candidate) => fieldLabels.has(candidate));
}

const SCOPE_LABELS: Readonly<Record<ExportScope, string>> = {
  file: 'Complete file',
  organization: 'This organization',
  form: 'This form',
};

function renderFileCard(
  view: BuilderView,
  { copyFile, downloadFile }: ExportActions,
): TemplateResult {
  const { draft, exportScope, messages } = view;
  const json =
    exportScope === 'file'
      ? draft.configuration
      : readConfigValue(draft.configuration, view[exportScope]);
  const text = `${JSON.stringify(json, null, 2)}\n`;
  return html`
    <section class="card" aria-labelledby="file-title">
      <h3 id="file-title">Configuration</h3>
      ${renderSelect('scope', 'Export', {
        selected: exportScope,
        options: Object.entries(SCOPE_LABELS),
        onSelect: (selected) => view.changeView({ exportScope: selected as ExportScope }),
      })}
      <textarea id="file" class="code" rows="14" readonly spellcheck="false"
        aria-labelledby="file-title" .value=${live(text)}></textarea>
      <div class="actions">
        <button class="primary" type="button"
          @click=${() => downloadFile(text, getFileName(view))}>Download</button>
        <button type="button" @click=${() => copyFile(text)}>Copy</button>
        <p class="status-message" role="status">${messages.file}</p>
      </div>
      <p class="hint">Settings without a field on this page, such as payment methods, consents, and
        custom fields, are preserved. docs/reference/configuration.md describes them all.
        ${renderEnvironmentVariables(listEnvironmentVariables(json))}</p>
    </section>`;
}

function getFileName({ draft, exportScope, organization, form }: BuilderView): string {
  if (exportScope === 'file') return 'donation-form.config.json';
  const path = exportScope === 'form' ? form : organization;
  const id = getTextAtPath(draft.configuration, `${path}.id`).replaceAll(/[^\w-]/g, '_');
  return `${exportScope}-${id}.json`;
}

function renderEnvironmentVariables(variables: readonly string[]): TemplateResult | typeof nothing {
  if (variables.length === 0) return nothing;
  const names = variables.map((name, index) => html`${index > 0 ? ', ' : ''}<code>${name}</code>`);
  return html`The file contains no secrets. Set these environment variables on the server: ${names}.`;
}

function renderSnippetCard(view: BuilderView, { copySnippet }: ExportActions): TemplateResult {
  const { endpoint } = view.draft;
  const snippet = createSnippet(view);
  return html`
    <section class="card" aria-labelledby="snippet-title">
      <h3 id="snippet-title">Snippet for your page</h3>
      ${renderField(
        {
          id: 'endpoint',
          label: 'URL of your donation server',
          hint: 'The public URL, such as https://give.example.org',
          problem: view.endpointProblem,
        },
        (describedBy, isInvalid) => html`
        <input id="endpoint" type="url" autocomplete="off" autocapitalize="off" spellcheck="false"
          enterkeyhint="done" required aria-invalid=${isInvalid} aria-describedby=${describedBy}
          .value=${live(endpoint)}
          @input=${(event: Event) => view.changeDraft({ endpoint: getInputValue(event).trim() })}>`,
      )}
      ${
        snippet === undefined
          ? html`<p class="empty">Enter the URL to get the snippet.</p>`
          : html`<textarea id="snippet" class="code" rows="10" readonly spellcheck="false"
            aria-labelledby="snippet-title" .value=${live(snippet)}></textarea>`
      }
      <div class="actions">
        <button class="primary" type="button" @click=${() => copySnippet(snippet)}>Copy snippet</button>
        <p class="status-message" role="status">${view.messages.snippet}</p>
      </div>
      <p class="hint">Add your page’s website to “Websites that can show the form” above.</p>
    </section>`;
}

function createSnippet({
  draft,
  organization,
  form,
  themeStyleSheet,
}: BuilderView): string | undefined {
  const { configuration, appearance, endpoint } = draft;
  if (validateEndpoint(endpoint) !== undefined) return undefined;
  return buildSnippet({
    endpoint,
    form: getTextAtPath(configuration, `${form}.id`),
    theme: appearance.theme,
    styleSheet: buildStyleSheet(appearance, themeStyleSheet),
    organization: getTextAtPath(configuration, `${organization}.name`),
    contact: getTextAtPath(configuration, `${organization}.contact`),
  });
}
