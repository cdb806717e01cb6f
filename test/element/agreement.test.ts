import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { PageSettings } from '../../src/donation-form/index.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import {
  Stage,
  fill,
  inside,
  outcomeOf,
  pageSettings,
  press,
  ready,
  type,
  words,
} from './support.ts';

const CHANGES = 500;

/**
 * Something that changes a gift before it is sent: the donor, the page's scripts, or the element.
 */
type Change =
  | {
      readonly by: 'donor';
      readonly control: 'amount' | 'frequency' | 'project' | 'costs' | 'own';
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
      'own' as const,
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

async function make(form: DonationFormElement, change: Change): Promise<void> {
  if (change.by === 'page') {
    pageSettings({ giftInfo: change.settings });
    if (change.isTold) form.refresh();
  } else if (change.by === 'element') {
    form[change.property] = change.value;
  } else if (change.control === 'own') {
    type(form, 'customAmount', (change.at / 100).toFixed(2));
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

/** What the form says that is given, and for what. */
function shown(form: DonationFormElement): string {
  const purpose =
    form.shadowRoot!.querySelector('.purpose strong')?.textContent ??
    form.shadowRoot!.querySelector<HTMLSelectElement>('#project')?.selectedOptions[0]?.textContent;
  return `${words(form, 'button[type=submit]')} for ${purpose?.trim()}`;
}

describe('donation-form, changed again and again', () => {
  it(`rule 39: what is shown is what is posted, over ${CHANGES} random changes by donor, page and element`, async function () {
    this.timeout(60_000);
    const stage = new Stage();
    // Without boxes: laying out the form would take most of the time.
    const hidden = document.createElement('div');
    hidden.style.display = 'none';
    document.body.append(hidden);
    stage.place = hidden;
    const form = await stage.show();
    fill(form);
    await ready(form);
    const rhythms: Readonly<Record<string, string>> = {
      once: '',
      monthly: ' every month',
      annually: ' every year',
    };
    const seed = Date.now() % 1_000_000;
    let askedAgain = 0;
    for (const [index, change] of fc.sample(changes, { numRuns: CHANGES, seed }).entries()) {
      await make(form, change);
      stage.posted.length = 0;
      stage.answers.splice(0, Infinity, (request) =>
        outcomeOf(request, 'declined', 'card-declined'),
      );
      let seen = shown(form);
      await press(form);
      if (
        form
          .shadowRoot!.querySelector('#notice')
          ?.textContent.includes('The page has changed this gift')
      ) {
        askedAgain += 1;
        expect(stage.posted.length).to.equal(0);
        seen = shown(form);
        await press(form);
      }
      const [sent] = stage.posted;
      if (!sent) {
        expect(
          form.shadowRoot!.querySelector('#amount-problem'),
          `seed ${seed}, change ${index}: ${JSON.stringify(change)}`,
        ).not.to.equal(null);
        continue;
      }
      const { gift } = sent.request;
      const total = (gift.total / 100).toLocaleString('en-US', {
        minimumFractionDigits: gift.total % 100 ? 2 : 0,
      });
      const project = stage.definition.projects.find(({ id }) => id === gift.projects[0]?.id)!.name;
      expect(seen, `seed ${seed}, change ${index}: ${JSON.stringify(change)}`).to.equal(
        `Give $${total}${rhythms[gift.frequency]} for ${project}`,
      );
      expect(inside(form, '[name=coverCosts]').checked).to.equal(gift.coverCosts);
    }
    expect(askedAgain).to.be.greaterThan(5);
    hidden.remove();
    stage.end();
  });
});
