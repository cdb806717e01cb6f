import { expect, fixture, html } from '@open-wc/testing';
import axe, { type Result, type RunOptions } from 'axe-core';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from '../example-form.ts';
import { manyProjects, wholeForm } from '../whole-form.ts';
import {
  Stage,
  button,
  chooseCountry,
  fill,
  inside,
  outcomeOf,
  press,
  problem,
  ready,
  type,
  waitUntil,
} from './support.ts';

/** The rules that are off, each with its reason. */
const OFF: Readonly<Record<string, string>> = {
  'color-contrast-enhanced': 'asks for 7:1, which is level AAA',
  'frame-tested': "the card's frame is a stand-in here; end-to-end tests look into the real one",
  'hidden-content':
    'tells of what is hidden, such as projects that a search does not find; other states show them',
};
/** Frames have tests of their own, and only what is wrong or undecided is reported. */
const SCOPE: RunOptions = { iframes: false, resultTypes: ['violations', 'incomplete'] };
const EVERY_RULE: RunOptions = {
  ...SCOPE,
  rules: Object.fromEntries(
    axe.getRules().map(({ ruleId }) => [ruleId, { enabled: !(ruleId in OFF) }]),
  ),
};
const COLOURS: RunOptions = { ...SCOPE, runOnly: ['color-contrast', 'link-in-text-block'] };

/** Everything that axe finds, or cannot decide. */
async function findings(options: RunOptions): Promise<string[]> {
  const { violations, incomplete } = await axe.run(document, options);
  const told =
    (kind: string) =>
    ({ id, nodes }: Result): string[] =>
      nodes.map(
        ({ html: code, any, all, none }) =>
          `${kind}: ${id}: ${[...any, ...all, ...none].map(({ message }) => message).join('; ')} ${code.slice(0, 300)}`,
      );
  return [...violations.flatMap(told('wrong')), ...incomplete.flatMap(told('open'))];
}

const severalWays: FormDefinition = {
  ...exampleForm,
  payments: [
    exampleForm.payments[0],
    {
      provider: 'offline',
      methods: [],
      hasHostedCheckout: false,
      hasCustomerPortal: false,
      options: { instructions: 'Send it to:\nDE00 1234' },
    },
  ],
};

type Show = (stage: Stage) => Promise<DonationFormElement>;

const shown =
  (definition: FormDefinition, attributes?: Readonly<Record<string, string>>): Show =>
  async (stage) => {
    stage.definition = definition;
    const form = await stage.show('', attributes);
    await ready(form);
    return form;
  };

/** Ticks, chooses, and waits until that is drawn. */
async function choose(form: DonationFormElement, ...selectors: readonly string[]): Promise<void> {
  for (const selector of selectors) {
    inside(form, selector).click();
    await form.updateComplete;
  }
}

const opened: Show = async (stage) => {
  const form = await shown(wholeForm)(stage);
  await choose(
    form,
    '[name="split.on"]',
    '[name="split.chosen"][value="2"]',
    '[name="tribute.kind"][value=memory]',
    '[name="organization.is"]',
  );
  await chooseCountry(form, 'US');
  await waitUntil(() => form.shadowRoot!.querySelector('select[name=state]'));
  return form;
};

/** A gift of the plain form, and what comes of it. */
const given =
  (...answers: Stage['answers']): Show =>
  async (stage) => {
    const form = await shown(exampleForm)(stage);
    fill(form);
    stage.answers.push(...answers);
    await press(form);
    return form;
  };

/** A form without an answer of its endpoint yet, or with none at all. */
const unloaded =
  (answer: () => Promise<Response>, until: string): Show =>
  async () => {
    window.fetch = answer;
    const place = await fixture<HTMLElement>(
      html`<div><donation-form endpoint="https://give.test/"><a href="https://example.org/give">Give another way</a></donation-form></div>`,
    );
    const form = place.querySelector('donation-form')!;
    await waitUntil(() => form.shadowRoot!.querySelector(until));
    return form;
  };

const states: Readonly<Record<string, Show>> = {
  'while it loads': unloaded(() => new Promise(() => undefined), '.skeleton'),
  'where it cannot be shown': unloaded(
    () => Promise.reject(new TypeError('Failed to fetch')),
    '#unavailable',
  ),
  'as it is shown': shown(exampleForm),
  'with every part': shown(wholeForm),
  'with its parts opened': opened,
  'with many projects': shown({ ...wholeForm, projects: manyProjects }),
  'with a search that finds nothing': async (stage) => {
    const form = await shown({ ...wholeForm, projects: manyProjects })(stage);
    inside(form, '[type=search]').value = 'moon';
    inside(form, '[type=search]').dispatchEvent(new Event('input', { bubbles: true }));
    await form.updateComplete;
    return form;
  },
  'with a fixed project': shown(exampleForm, { project: 'WATER' }),
  'with a suggestion taken': async (stage) => {
    const form = await shown(wholeForm)(stage);
    await choose(form, '.nudge button');
    return form;
  },
  'with the settings explained': async (stage) => {
    stage.definition = exampleForm;
    const form = await stage.show('?amt=75&Frequency=dayly&frequenzy=monthly', {
      debug: '',
      segment: 'SITE',
    });
    await ready(form);
    await waitUntil(() => form.shadowRoot!.querySelector('.debug'));
    return form;
  },
  'with problems': async (stage) => {
    const form = await shown(exampleForm)(stage);
    type(form, 'customAmount', '1');
    await press(form);
    return form;
  },
  'with problems in every part': async (stage) => {
    const form = await opened(stage);
    await choose(form, '[name="split.chosen"][value="2"]');
    await press(form);
    return form;
  },
  'while it sends': async (stage) => {
    const form = await shown(exampleForm)(stage);
    fill(form);
    await form.updateComplete;
    stage.answers.push(
      new Promise((resolve) => {
        release = () => resolve(problem(503, 'unavailable'));
      }),
    );
    button(form).click();
    await waitUntil(() => stage.posted.length > 0);
    return form;
  },
  'after a declined card': given((request) => outcomeOf(request, 'declined', 'card-declined')),
  'where the card is incomplete': async (stage) => {
    stage.card = { type: 'incomplete' };
    return given()(stage);
  },
  'where no answer came': given('no answer'),
  'where the donor is offline': async (stage) => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    return given('no answer')(stage).finally(() => {
      delete (navigator as { onLine?: boolean }).onLine;
    });
  },
  'where many people give': given(problem(429, 'too-many-requests')),
  'where the form was changed': given(problem(409, 'form-outdated')),
  'where the gift was refused': given(problem(422, 'total-mismatch')),
  'while a gift is checked': given((request) => outcomeOf(request, 'checking')),
  'where the money comes later': given((request) => outcomeOf(request, 'pending')),
  'with several ways to pay': shown(severalWays),
  'with nothing to pay here': async (stage) => {
    const form = await shown(severalWays)(stage);
    await choose(form, '[name="payment.provider"][value=offline]');
    return form;
  },
  "where the donor pays on the processor's page": async (stage) => {
    stage.definition = {
      ...exampleForm,
      payments: [{ ...exampleForm.payments[0], provider: 'nobody' }],
    };
    const form = await stage.show();
    await waitUntil(() => form.shadowRoot!.querySelector('.hosted'));
    return form;
  },
  'where one more step waits': async (stage) => {
    stage.settle = () => outcomeOf(stage.posted[0]!.request, 'action');
    return given((request) =>
      outcomeOf(request, 'action', undefined, { action: { kind: 'field', secret: 's' } }),
    )(stage);
  },
  'where one more step waits, and no answer came': async (stage) => {
    stage.settle = () => 'no answer';
    return given((request) =>
      outcomeOf(request, 'action', undefined, { action: { kind: 'field', secret: 's' } }),
    )(stage);
  },
  'where the bank was not told': given((request) =>
    outcomeOf(request, 'declined', 'not-confirmed'),
  ),
  'when it says how to pay': given((request) =>
    outcomeOf(request, 'pending', undefined, { instructions: 'Send it to:\nDE00 1234' }),
  ),
  'when it thanks for a gift that is repeated': async (stage) => {
    const form = await shown(exampleForm)(stage);
    fill(form);
    await choose(form, '[name=frequency][value=monthly]');
    await press(form);
    return form;
  },
  'when it thanks': given(),
  'when it thanks for a gift to several projects': given((request) => {
    const { amount, costs, total, currency, frequency } = request.gift;
    const part = { projectId: '1', projectName: 'Where it is needed most', amount: '25.00' };
    return Response.json({
      reference: '7K4M9-QXD2P',
      state: 'succeeded',
      gift: { amount, costs, total, currency, frequency },
      response: {
        success: true,
        message: null,
        transactionId: 'ch_1',
        amount: 50,
        giftId: 7,
        projectSplit: [part, { ...part, projectId: '2', projectName: 'Village wells' }],
      },
    });
  }),
};

/** Lets a gift that is being sent end. */
let release: (() => void) | undefined;

/** Makes a whole page of the form's surroundings, with what every page needs, and no movement. */
function furnish(form: DonationFormElement): void {
  const main = form.parentElement!;
  const title = document.createElement('h1');
  main.setAttribute('role', 'main');
  title.textContent = 'Give clean water';
  main.prepend(title);
  const still = new CSSStyleSheet();
  still.replaceSync('* { transition: none !important; animation: none !important }');
  form.shadowRoot!.adoptedStyleSheets.push(still);
}

describe('donation-form, for everybody', () => {
  const root = document.documentElement;
  let stage: Stage;
  before(() => {
    root.lang = 'en';
    document.title = 'Give';
    const sheet = document.createElement('style');
    sheet.textContent = 'main { margin: 1em }';
    document.head.append(sheet);
  });
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => {
    root.style.cssText = '';
    release?.();
    release = undefined;
    stage.end();
  });

  for (const [state, show] of Object.entries(states)) {
    it(`passes every rule of axe ${state}, light and dark`, async function () {
      this.timeout(60_000);
      const form = await show(stage);
      furnish(form);
      expect(await findings(EVERY_RULE), 'light').to.deep.equal([]);
      root.style.cssText = 'color-scheme: dark; background: #101413; color: #eef2f0';
      expect(await findings(COLOURS), 'dark').to.deep.equal([]);
    });
  }

  it('would not pass with words that are too pale', async () => {
    const form = await shown(exampleForm)(stage);
    furnish(form);
    form.style.setProperty('--donation-muted', '#ccc');
    expect(await findings(COLOURS)).to.not.deep.equal([]);
  });
});
