import { AUDIT } from './audit.ts';
import type { Bar, Figure } from './figure.ts';
import { describeMachine, renderTable } from './report.ts';

const AUDIT_LABELS: readonly string[] = Object.values(AUDIT);

export interface BarResult {
  readonly bar: Pick<Bar, 'number' | 'description'>;
  readonly figures: readonly Figure[];
  readonly seconds: number;
}

/**
 * Renders a bar's result as Markdown: a table of the figures, with a column for each subject, a
 * sentence with the zeros that are required, and one with the counts. A missed target is bold.
 */
export function renderBar(
  { bar, figures, seconds }: BarResult,
  machine = describeMachine(),
): string {
  const zeros = filterMeasures(figures, ({ value, target }) => value === '0' && target === '0');
  const counts = filterMeasures(
    figures,
    ({ label, target }) => target === 'counted' && !label.includes(': '),
  );
  const others = figures.filter((figure) => ![...zeros, ...counts].includes(getMeasure(figure)));
  return [
    `**Bar ${bar.number}:** ${bar.description}. Duration: ${seconds.toFixed(0)} s. ${machine}`,
    ...(others.length === 0 ? [] : [renderTable(createRows(others))]),
    ...(zeros.length === 0
      ? []
      : [`Each of these is 0, as required: ${summarizeAudit(zeros).join('; ')}.`]),
    ...(counts.length === 0 ? [] : [describeCounts(figures, counts)]),
  ].join('\n\n');
}

/** Lists the measures of which all figures match, each once. */
function filterMeasures(
  figures: readonly Figure[],
  isMatch: (figure: Figure) => boolean,
): readonly string[] {
  const others = new Set(figures.filter((figure) => !isMatch(figure)).map(getMeasure));
  return [...new Set(figures.map(getMeasure))].filter((measure) => !others.has(measure));
}

/** Returns what a figure measures, without its subject. */
const getMeasure = ({ label }: Figure): string => label.replace(/^[^:]+: /, '');

/** Returns what was measured, such as `SQLite` for `SQLite: server kills`. */
const getSubject = ({ label }: Figure): string => /^([^:]+): /.exec(label)?.[1] ?? 'figure';

function createRows(figures: readonly Figure[]): string[][] {
  const subjects = [...new Set(figures.map(getSubject))];
  return [
    ['measure', ...subjects, 'target'],
    ...filterMeasures(figures, () => true).map((measure) => {
      const row = figures.filter((figure) => getMeasure(figure) === measure);
      const values = subjects.map((subject) =>
        formatValue(row.find((figure) => getSubject(figure) === subject)),
      );
      return [measure, ...values, row[0]!.target];
    }),
  ];
}

function formatValue(figure: Figure | undefined): string {
  if (!figure) return '';
  return figure.isMet ? figure.value : `**${figure.value}: missed**`;
}

/** Replaces the figures of the audit with a link to their list, if all of them are included. */
function summarizeAudit(measures: readonly string[]): readonly string[] {
  if (!AUDIT_LABELS.every((label) => measures.includes(label))) return measures;
  return [
    ...measures.filter((measure) => !AUDIT_LABELS.includes(measure)),
    "[the audit's counts](#the-audit)",
  ];
}

function describeCounts(figures: readonly Figure[], measures: readonly string[]): string {
  const counts = figures.filter((figure) => measures.includes(getMeasure(figure)));
  return `Counted: ${counts.map(({ label, value }) => `${value} ${label}`).join('; ')}.`;
}
