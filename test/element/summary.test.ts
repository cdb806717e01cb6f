import { expect } from '@open-wc/testing';
import { html, render } from 'lit';
import { enForm } from '../../src/core/i18n/en-form.ts';
import { enEntry } from '../../src/core/i18n/en-submission.ts';
import type { View } from '../../src/donation-form/form/view-model.ts';
import { renderSummary } from '../../src/donation-form/sections/summary.ts';
import { findElement, getText, testPage, waitUntil } from './support.ts';

/** Returns the summary of a donation of $25 that is made on a day of 2026. */
function getSummary(frequency: View['state']['frequency'], date: string, language = 'en'): string {
  const view = {
    texts: enForm,
    language,
    context: { definition: { projects: [{ id: '1', name: 'Wells' }] } },
    state: { frequency },
    totals: { total: 2500 },
    formatMoney: () => '$25',
  } as unknown as View;
  const container = document.createElement('div');
  render(html`${renderSummary(view, enEntry, new Date(`2026-${date}T12:00`))}`, container);
  return container.textContent.replace(/\s+/g, ' ').trim();
}

describe('the summary above the button', () => {
  it('shows the amount and the project, and follows the donor', async () => {
    const form = await testPage.showForm();
    await waitUntil(() => getText(form, '.summary') !== '');
    expect(getText(form, '.summary')).to.equal('$50 · Where it is needed most');
    findElement(
      form,
      '[name=frequency][value=monthly], .segments .choice:nth-child(2) input',
    ).click();
    await form.updateComplete;
    expect(getText(form, '.summary')).to.match(
      /^\$50 a month · Where it is needed most ?\$50 today, then .* Cancel anytime\.$/,
    );
  });

  it('names the day of the month', () => {
    const days = ['11-01', '11-02', '11-03', '11-11', '11-22', '11-28'];
    expect(
      days.map((day) => /on the (\S+) of each month/.exec(getSummary('monthly', day))?.[1]),
    ).to.deep.equal(['1st', '2nd', '3rd', '11th', '22nd', '28th']);
    expect(getSummary('monthly', '11-22', 'ja')).to.contain('on the 22日 of each month');
  });

  it('writes the first day as an ordinal number in French, Italian, and Portuguese', () => {
    expect(
      ['fr', 'fr-CA', 'it', 'pt-BR', 'es'].map((language) => [
        /on the (\S+) of each month/.exec(getSummary('monthly', '02-01', language))?.[1],
        /every year on (.+?)\. Cancel/.exec(getSummary('annually', '02-01', language))?.[1],
      ]),
    ).to.deep.equal([
      ['1er', '1er février'],
      ['1er', '1er février'],
      ['1º', '1º febbraio'],
      ['1º', '1º de fevereiro'],
      ['1', '1 de febrero'],
    ]);
    expect(getSummary('monthly', '02-11', 'fr')).to.contain('on the 11 of each month');
    expect(getSummary('annually', '02-11', 'fr')).to.contain('every year on 11 février');
  });

  it('names no day that some months lack', () => {
    for (const day of ['10-29', '10-30', '10-31'])
      expect(getSummary('monthly', day)).to.contain('$25 today, then every month. Cancel anytime.');
  });

  it('describes each frequency', () => {
    expect([getSummary('once', '11-22'), getSummary('annually', '11-22')]).to.deep.equal([
      '$25',
      '$25 a year$25 today, then every year on November 22. Cancel anytime.',
    ]);
  });
});
