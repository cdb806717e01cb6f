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
import { formatAmount } from '../read-models/labels.ts';
import { buildListUrl, CHOSEN_DAYS, type ListFields } from '../read-models/list-query.ts';
import type { OverviewData } from '../read-models/overview.ts';
import { formatTimeOfDay } from './layout.ts';

type IncomeSection = OverviewData['income'];
/** Renders a link to the donations that the fields select, or the text alone. */
type RenderLink = (fields: ListFields, text: string) => Html | string;

export function renderIncomeSection(section: IncomeSection): Html {
  const { organization, report, timeZone, isTest, linksDonations } = section;
  const { today, week, month, asOf } = report;
  const yesterday = report.days.at(-2)!.income;
  const renderLink: RenderLink = (fields, text) =>
    linksDonations
      ? html`<a href="${buildListUrl('/donations', { organization, ...fields })}">${text}</a>`
      : text;
  const renderTile = (
    title: string,
    period: string,
    income: ComparedIncome,
    before: string,
  ): Html => html`<li>
<h3>${renderLink({ period }, title)}</h3>
${renderAmounts(income, renderLink({ period, status: 'outstanding' }, 'Not received yet'))}
<p class="hint">${formatBefore(income.previous, before)}</p>
${period === 'today' ? html`<p class="hint">${formatBefore(yesterday, 'All of yesterday')}</p>` : ''}
</li>`;
  return html`<section id="income"><h2>Income ${
    isTest ? html`<span class="badge open">Test mode: no real money</span>` : ''
  }</h2>
${renderOrganizationLinks(section)}
<ul class="tiles">
${renderTile('Today', 'today', today, 'By this time yesterday')}
${renderTile('This week', 'week', week, 'By this time last week')}
${renderTile('This month', 'month', month, 'By this time last month')}
</ul>
${renderIncomeChart(report, renderLink)}
<p class="hint">As of ${formatTimeOfDay(asOf, timeZone)}. Days are in the ${timeZone} time zone; weeks begin on
Monday. Totals include covered fees. Refunds are not subtracted.</p>
</section>`;
}

function renderOrganizationLinks({ organizations, organization }: IncomeSection): Html | '' {
  if (organizations.length < 2) return '';
  const links = organizations.map(
    ({ id, name }) =>
      html`<a href="/?organization=${encodeURIComponent(id)}"${
        id === organization ? html` aria-current="page"` : ''
      }>${name}</a>`,
  );
  return html`<nav aria-label="Organizations">${links}</nav>`;
}

function renderAmounts(
  { current, previous }: ComparedIncome,
  outstandingLabel: Html | string,
): Html {
  const others = current.map((income) => renderOtherAmounts(income, outstandingLabel));
  const received = current.filter((income) => countReceived(income) > 0);
  if (received.length === 0) return html`<p class="sum none">Nothing yet</p>${others}`;
  return html`${received.map((income) => {
    const { once, recurring, currency, decimals } = income;
    const count = countReceived(income);
    const before = previous.find((other) => other.currency === currency);
    return html`<p class="sum">${formatAmount(sumReceived(income), currency, decimals)}
${renderTrend(income, before)}</p>
<p>${formatCount(count, 'donation')}: ${once.count} one-time, ${recurring.count} recurring</p>`;
  })}
${others}`;
}

function renderOtherAmounts(
  { outstanding, refunded, currency, decimals }: CurrencyIncome,
  outstandingLabel: Html | string,
): Html {
  const renderAmount = (label: string | Html, { count, total }: CountAndTotal): Html | '' =>
    count > 0 ? html`<p>${label}: ${formatAmount(total, currency, decimals)} (${count})</p>` : '';
  return html`${renderAmount(outstandingLabel, outstanding)}
${renderAmount('Refunded', refunded)}`;
}

/** Renders the percentage change from the previous period, if that had income. */
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

const HEIGHT = 100;
const BAR_WIDTH = 14;
const STEP = 20;

interface ChartDay {
  /** ISO 8601 date, such as `2026-11-30`. */
  readonly date: string;
  readonly income: CurrencyIncome | undefined;
}

/** Renders a bar per day in the main currency, and a table for all currencies. */
function renderIncomeChart({ days }: IncomeReport, renderLink: RenderLink): Html {
  const currency = findMainCurrency(days);
  if (currency === undefined)
    return html`<p class="empty">No donations were received in the last ${days.length} days.</p>`;
  const chartDays = days.map(({ date, income }) => ({
    date,
    income: income.find((candidate) => candidate.currency === currency.currency),
  }));
  const format = (minor: number): string =>
    formatAmount(minor, currency.currency, currency.decimals);
  const highest = Math.max(...chartDays.map(({ income }) => (income ? sumReceived(income) : 0)));
  const total = chartDays.reduce((sum, { income }) => sum + (income ? sumReceived(income) : 0), 0);
  const [first, last] = [chartDays[0]!, chartDays.at(-1)!];
  return html`<figure class="chart">
<figcaption>Last ${days.length} days in ${currency.currency}: ${format(total)}
<span class="legend"><span class="key once"></span> one-time <span class="key recurring"></span> recurring</span></figcaption>
<svg viewBox="0 0 ${days.length * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img"
aria-label="Bar chart of the last ${days.length} days. The best day had ${format(highest)}. The table below has the numbers.">
${chartDays.map((day, index) => renderBar(day, index, highest, format))}
</svg>
<p class="axis" aria-hidden="true"><span>${formatDay(first.date)}</span><span>Best day: ${format(highest)}</span><span>${formatDay(last.date)}</span></p>
<details><summary>Show the numbers</summary>${renderTable(days, renderLink)}</details>
</figure>`;
}

function findMainCurrency(days: IncomeReport['days']): CurrencyIncome | undefined {
  const counts = new Map<string, { readonly income: CurrencyIncome; readonly count: number }>();
  for (const income of days.flatMap((day) => day.income)) {
    const count = (counts.get(income.currency)?.count ?? 0) + countReceived(income);
    counts.set(income.currency, { income, count });
  }
  const sorted = [...counts.values()].sort((one, other) => other.count - one.count);
  return sorted[0] && sorted[0].count > 0 ? sorted[0].income : undefined;
}

function renderBar(
  { date, income }: ChartDay,
  index: number,
  highest: number,
  format: (minor: number) => string,
): Html | '' {
  if (!income || countReceived(income) === 0) return '';
  const getHeight = (minor: number): number =>
    highest === 0 ? 0 : Math.round((minor / highest) * HEIGHT * 10) / 10;
  const { once, recurring } = income;
  const [onceHeight, recurringHeight] = [getHeight(once.total), getHeight(recurring.total)];
  const x = index * STEP + (STEP - BAR_WIDTH) / 2;
  const renderPart = (name: string, y: number, height: number): Html | '' =>
    height > 0
      ? html`<rect class="${name}" x="${x}" y="${y}" width="${BAR_WIDTH}" height="${height}"/>`
      : '';
  return html`<g><title>${formatDay(date)}: ${format(sumReceived(income))}, ${countReceived(income)}</title>
${renderPart('recurring', HEIGHT - recurringHeight, recurringHeight)}
${renderPart('once', HEIGHT - recurringHeight - onceHeight, onceHeight)}</g>`;
}

function renderTable(days: IncomeReport['days'], renderLink: RenderLink): Html {
  const rows = days
    .toReversed()
    .flatMap(({ date, income }) =>
      income
        .filter((entry) => countReceived(entry) > 0)
        .map((entry) => renderTableRow(date, entry, renderLink)),
    );
  return html`<div class="scroll"><table><thead><tr><th scope="col">Day</th><th scope="col" class="number">One-time</th><th scope="col" class="number">Recurring</th>
<th scope="col" class="number">Total</th><th scope="col" class="number">Donations</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function renderTableRow(date: string, income: CurrencyIncome, renderLink: RenderLink): Html {
  const { once, recurring, currency, decimals } = income;
  const day = renderLink({ period: CHOSEN_DAYS, from: date, to: date }, formatDay(date));
  const renderCell = (minor: number): Html =>
    html`<td class="number">${formatAmount(minor, currency, decimals)}</td>`;
  return html`<tr><th scope="row">${day}</th>${renderCell(once.total)}${renderCell(recurring.total)}
${renderCell(sumReceived(income))}<td class="number">${countReceived(income)}</td></tr>`;
}

/** Formats a date such as `2026-11-30` as `Mon, Nov 30`. */
function formatDay(date: string): string {
  return new Date(`${date}T00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
  });
}
