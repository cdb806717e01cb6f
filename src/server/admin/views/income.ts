import { html } from 'hono/html';
import { formatCount } from '@donation-form/core/i18n';
import type { Html } from '../../http/render-document.ts';
import {
  type ComparedIncome,
  type CountAndTotal,
  countReceived,
  type CurrencyIncome,
  type Income,
  type IncomeReport,
  sumReceived,
} from '../../reporting/income.ts';
import { formatAmount } from '../read-models/format-amount.ts';
import { buildListUrl } from '../read-models/list-query.ts';
import { renderIncomeChart } from './income-chart.ts';
import { formatTimeOfDay } from './layout.ts';

/** Data for the overview's income section. */
export interface IncomeSection {
  readonly organization: string;
  readonly report: IncomeReport;
  readonly timeZone: string;
  /** True if all of the organization's forms are in test mode. */
  readonly isTest: boolean;
  /** All organizations, for the links that switch between them. */
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
}

export function renderIncomeSection(section: IncomeSection): Html {
  const { organization, report, timeZone, isTest } = section;
  const { today, week, month, asOf } = report;
  const yesterday = report.days.at(-2)!.income;
  const renderTile = (
    title: string,
    period: string,
    income: ComparedIncome,
    before: string,
  ): Html => {
    const url = buildListUrl('/donations', { organization, period });
    return html`<li>
<h3><a href="${url}">${title}</a></h3>
${renderAmounts(income, buildListUrl('/donations', { organization, period, status: 'outstanding' }))}
<p class="hint">${formatBefore(income.previous, before)}</p>
${period === 'today' ? html`<p class="hint">${formatBefore(yesterday, 'All of yesterday')}</p>` : ''}
</li>`;
  };
  return html`<section id="income"><h2>Income ${
    isTest ? html`<span class="badge open">Test mode: no real money</span>` : ''
  }</h2>
${renderOrganizations(section)}
<ul class="tiles">
${renderTile('Today', 'today', today, 'By this time yesterday')}
${renderTile('This week', 'week', week, 'By this time last week')}
${renderTile('This month', 'month', month, 'By this time last month')}
</ul>
${renderIncomeChart(report, organization)}
<p class="hint">As of ${formatTimeOfDay(asOf, timeZone)}. Days are in the ${timeZone} time zone; weeks begin on
Monday. Totals include covered fees. Refunds are not subtracted.</p>
</section>`;
}

function renderOrganizations({ organizations, organization }: IncomeSection): Html | '' {
  if (organizations.length < 2) return '';
  const links = organizations.map(
    ({ id, name }) =>
      html`<a href="/?organization=${encodeURIComponent(id)}"${
        id === organization ? html` aria-current="page"` : ''
      }>${name}</a>`,
  );
  return html`<nav aria-label="Organizations">${links}</nav>`;
}

/**
 * Renders the amounts of a period.
 * @param outstandingUrl URL of the list of donations that have not arrived yet.
 */
function renderAmounts({ current, previous }: ComparedIncome, outstandingUrl: string): Html {
  const others = current.map((income) => renderOtherAmounts(income, outstandingUrl));
  const received = current.filter((income) => countReceived(income) > 0);
  if (received.length === 0) return html`<p class="sum none">Nothing yet</p>${others}`;
  return html`${received.map((income) => {
    const { once, recurring, currency, decimals } = income;
    const count = countReceived(income);
    return html`<p class="sum">${formatAmount(sumReceived(income), currency, decimals)}
${renderTrend(income, findCurrency(previous, currency))}</p>
<p>${formatCount(count, 'donation')}: ${once.count} one-time, ${recurring.count} recurring</p>`;
  })}
${others}`;
}

function renderOtherAmounts(
  { outstanding, refunded, currency, decimals }: CurrencyIncome,
  outstandingUrl: string,
): Html {
  const renderAmount = (label: string | Html, { count, total }: CountAndTotal): Html | '' =>
    count > 0 ? html`<p>${label}: ${formatAmount(total, currency, decimals)} (${count})</p>` : '';
  const link = html`<a href="${outstandingUrl}">Not received yet</a>`;
  return html`${renderAmount(link, outstanding)}
${renderAmount('Refunded', refunded)}`;
}

function findCurrency(income: Income, currency: string): CurrencyIncome | undefined {
  return income.find((candidate) => candidate.currency === currency);
}

/**
 * Renders the percentage change from the previous period. Renders nothing if that period had no
 * income.
 */
function renderTrend(income: CurrencyIncome, before: CurrencyIncome | undefined): Html | '' {
  const previous = before ? sumReceived(before) : 0;
  if (previous === 0) return '';
  const percent = Math.round((sumReceived(income) / previous - 1) * 100);
  if (percent === 0) return html`<span class="trend">same as before</span>`;
  const [sign, word] = percent > 0 ? ['+', 'more'] : ['−', 'less'];
  return html`<span class="trend${percent > 0 ? ' up' : ''}"><span aria-hidden="true">${sign}${Math.abs(percent)}%</span><span class="visually-hidden">${Math.abs(percent)}% ${word} than before</span></span>`;
}

function formatBefore(previous: Income, label: string): string {
  const amounts = previous
    .filter((income) => countReceived(income) > 0)
    .map(
      (income) =>
        `${formatAmount(sumReceived(income), income.currency, income.decimals)} (${countReceived(income)})`,
    );
  return `${label}: ${amounts.length === 0 ? 'nothing' : amounts.join(', ')}`;
}
