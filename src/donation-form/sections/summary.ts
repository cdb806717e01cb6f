import { html, nothing, type TemplateResult } from 'lit';
import type { DonationFrequency } from '@donation-form/core/donation';
import { getSelectedProject, isDonationSplit } from '@donation-form/core/form-state';
import { type EntryTexts, fillPlaceholders } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { formatDate } from './format-date.ts';

type RecurringFrequency = Exclude<DonationFrequency, 'once'>;

/** Last day that occurs in every month. */
const LAST_COMMON_DAY = 28;

const ENGLISH_SUFFIXES: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
};

export function renderSummary(
  { texts: formTexts, context, state, totals, formatMoney, language }: View,
  texts: EntryTexts,
  today = new Date(),
): TemplateResult {
  if (!totals) return html``;
  const { projects } = context.definition;
  const amount = formatMoney(totals.total);
  const project =
    projects.length > 1 && !isDonationSplit(state, context)
      ? html` · <bdi .textContent=${getSelectedProject(state, context).name}></bdi>`
      : nothing;
  return html`<p><strong .textContent=${fillPlaceholders(
    formTexts.amountsByFrequency[state.frequency],
    { amount },
  )}></strong>${project}</p>${
    state.frequency === 'once'
      ? nothing
      : html`<p class="hint" .textContent=${fillPlaceholders(
          getScheduleText(state.frequency, today, texts),
          {
            amount,
            day: formatDay(today, language),
            date: formatDate(today, language, { month: 'long', day: 'numeric' }),
          },
        )}></p>`
  }`;
}

function getScheduleText(
  frequency: RecurringFrequency,
  today: Date,
  { schedules }: EntryTexts,
): string {
  return frequency === 'monthly' && today.getDate() > LAST_COMMON_DAY
    ? schedules.everyMonth
    : schedules[frequency];
}

/** Formats a day of the month: `22nd` in English, `22` in German, `22日` in Japanese. */
function formatDay(date: Date, language: string): string {
  if (!language.startsWith('en')) return formatDate(date, language, { day: 'numeric' });
  const category = new Intl.PluralRules('en', { type: 'ordinal' }).select(date.getDate());
  return `${date.getDate()}${ENGLISH_SUFFIXES[category] ?? 'th'}`;
}
