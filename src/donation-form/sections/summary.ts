import { html, nothing, type TemplateResult } from 'lit';
import { fillPlaceholders, type SubmissionTexts } from '@donation-form/core/i18n';
import { getSelectedProject } from '../state/form-state.ts';
import { isSplit } from '../state/split.ts';
import type { View } from '../form/view-model.ts';

/** Days of the month that every month has. */
const LAST_COMMON_DAY = 28;

/** English ordinals. Other languages write the day as their dates do. */
const ENGLISH_SUFFIXES: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
};

/** Renders the amount, what it is for, and for recurring donations the dates of the charges. */
export function renderSummary(
  { texts: formTexts, context, state, totals, formatMoney, language }: View,
  texts: SubmissionTexts,
  today = new Date(),
): TemplateResult {
  if (!totals) return html``;
  const { projects } = context.definition;
  const amount = formatMoney(totals.total);
  const project =
    projects.length > 1 && !isSplit(state, context)
      ? html` · <bdi>${getSelectedProject(state, context).name}</bdi>`
      : nothing;
  const day = today.getDate();
  const schedule =
    state.frequency === 'monthly' && day > LAST_COMMON_DAY
      ? texts.schedules.everyMonth
      : texts.schedules[state.frequency];
  return html`<p><strong>${fillPlaceholders(formTexts.amountsByFrequency[state.frequency], {
    amount,
  })}</strong>${project}</p>${
    schedule
      ? html`<p class="hint">${fillPlaceholders(schedule, {
          amount,
          day: formatDay(today, language),
          date: today.toLocaleDateString(language, { month: 'long', day: 'numeric' }),
        })}</p>`
      : nothing
  }`;
}

/** Formats a day of the month: `22nd` in English, `22` in German, `22日` in Japanese. */
function formatDay(date: Date, language: string): string {
  if (!language.startsWith('en')) return date.toLocaleDateString(language, { day: 'numeric' });
  const category = new Intl.PluralRules('en', { type: 'ordinal' }).select(date.getDate());
  return `${date.getDate()}${ENGLISH_SUFFIXES[category] ?? 'th'}`;
}
