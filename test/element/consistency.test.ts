import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import type { PageSettings } from '../../src/donation-form/index.ts';
import {
  createOutcome,
  enterText,
  findElement,
  getButtonText,
  setPageSettings,
  submitForm,
  testPage,
  waitForPaymentField,
} from './support.ts';

const CHANGES = 500;

/** A change of the donation by the donor, the page's scripts, or the element's attributes. */
type Change =
  | {
      readonly by: 'donor';
      readonly control: 'amount' | 'frequency' | 'project' | 'costs' | 'custom-amount';
      readonly at: number;
    }
  | {
      readonly by: 'page';
      readonly settings: NonNullable<PageSettings['giftInfo']>;
      readonly isTold: boolean;
    }
  | {
      readonly by: 'element';
      readonly property: 'amount' | 'amounts' | 'frequency' | 'project' | 'segment';
      readonly value: string | undefined;
    };

const frequency = fc.constantFrom('once', 'monthly', 'annually', 'quarterly', 'never');
const amount = fc.constantFrom('25', '60.50', '1,000', '0', '5', '12.34', '75');
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    by: fc.constant('donor' as const),
    control: fc.constantFrom(
      'amount' as const,
      'frequency' as const,
      'project' as const,
      'costs' as const,
      'custom-amount' as const,
    ),
    at: fc.nat(20_000),
  }),
  fc.record({
    by: fc.constant('page' as const),
    isTold: fc.boolean(),
    settings: fc.record(
      {
        amount,
        frequency: frequency as fc.Arbitrary<'once'>,
        coverCosts: fc.boolean(),
        projectCodeOverride: fc.constantFrom('WATER', 'WATTER', ''),
        segmentOverrideCode: fc.constantFrom('A', 'B'),
        giftArrays: fc.array(fc.record({ value: amount, isSelected: fc.boolean() }), {
          maxLength: 4,
        }),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    by: fc.constant('element' as const),
    property: fc.constantFrom(
      'amount' as const,
      'amounts' as const,
      'frequency' as const,
      'project' as const,
      'segment' as const,
    ),
    value: fc.option(fc.oneof(amount, frequency, fc.constantFrom('WATER', '10,20,30')), {
      nil: undefined,
    }),
  }),
);

async function applyChange(form: DonationFormElement, change: Change): Promise<void> {
  if (change.by === 'page') {
    setPageSettings({ giftInfo: change.settings });
    if (change.isTold) form.refresh();
  } else if (change.by === 'element') {
    form[change.property] = change.value;
  } else if (change.control === 'custom-amount') {
    enterText(form, 'customAmount', (change.at / 100).toFixed(2));
  } else if (change.control === 'project') {
    const select = form.shadowRoot!.querySelector<HTMLSelectElement>('#project');
    if (select) select.selectedIndex = change.at % 2;
    select?.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  } else {
    const inputs = [
      ...form.shadowRoot!.querySelectorAll<HTMLInputElement>(
        change.control === 'costs' ? '[name=coverCosts]' : `[name=${change.control}]`,
      ),
    ];
    inputs[change.at % inputs.length]?.click();
  }
  await form.updateComplete;
}

/** Returns the total, frequency, and project that the form shows. */
function readDisplayedGift(form: DonationFormElement): string {
  const projectName =
    form.shadowRoot!.querySelector('.fixed-project strong')?.textContent ??
    form.shadowRoot!.querySelector<HTMLSelectElement>('#project')?.selectedOptions[0]?.textContent;
  return `${getButtonText(form).replace(/^(Give|Try again ·) /, '')} for ${projectName?.trim()}`;
}

describe('displayed and posted donation', () => {
  it(`rule 39: match after ${CHANGES} random changes by donor, page, and element`, async function () {
    this.timeout(60_000);
    // Skips layout, which would take most of the time.
    const hidden = document.createElement('div');
    hidden.style.display = 'none';
    document.body.append(hidden);
    testPage.container = hidden;
    const form = await testPage.showFilledForm();
    await waitForPaymentField(form);
    const frequencyTexts: Readonly<Record<string, string>> = {
      once: '',
      monthly: ' a month',
      annually: ' a year',
    };
    const seed = Date.now() % 1_000_000;
    let askedAgain = 0;
    for (const [index, change] of fc.sample(changes, { numRuns: CHANGES, seed }).entries()) {
      await applyChange(form, change);
      testPage.postedDonations.length = 0;
      testPage.responses.splice(0, Infinity, (request) =>
        createOutcome(request, 'failed', 'card-declined'),
      );
      let displayedGift = readDisplayedGift(form);
      await submitForm(form);
      if (
        form
          .shadowRoot!.querySelector('#notice')
          ?.textContent.includes('This page updated your donation')
      ) {
        askedAgain += 1;
        expect(testPage.postedDonations.length).to.equal(0);
        displayedGift = readDisplayedGift(form);
        await submitForm(form);
      }
      const [sent] = testPage.postedDonations;
      if (!sent) {
        expect(
          form.shadowRoot!.querySelector('#amount-error'),
          `seed ${seed}, change ${index}: ${JSON.stringify(change)}`,
        ).not.to.equal(null);
        continue;
      }
      const { gift } = sent.request;
      const total = (gift.total / 100).toLocaleString('en-US', {
        minimumFractionDigits: gift.total % 100 ? 2 : 0,
      });
      const project = testPage.definition.projects.find(
        ({ id }) => id === gift.projects[0]?.id,
      )!.name;
      expect(displayedGift, `seed ${seed}, change ${index}: ${JSON.stringify(change)}`).to.equal(
        `$${total}${frequencyTexts[gift.frequency]} for ${project}`,
      );
      expect(findElement(form, '[name=coverCosts]').checked).to.equal(gift.coverCosts);
    }
    expect(askedAgain).to.be.greaterThan(5);
    hidden.remove();
  });
});
