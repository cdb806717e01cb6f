import { expect, fixture, html } from '@open-wc/testing';
import axe, { type Result, type RunOptions } from 'axe-core';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { manyProjects } from '../full-form.ts';
import { exampleForm, fullForm, stubPayment } from './forms.ts';
import { createFormWithPayments, offlinePayment } from './payment-support.ts';
import {
  clickControls,
  createOutcome,
  createProblem,
  enterText,
  fillDonor,
  pressSubmit,
  selectCountry,
  selectOption,
  submitForm,
  type TestPage,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

/** Disabled rules and the reasons. */
const DISABLED_RULES: Readonly<Record<string, string>> = {
  'color-contrast-enhanced': 'requires 7:1, which is level AAA',
  'hidden-content': 'reports hidden content, such as filtered projects; other states show it',
};
/** The form has no frames here. */
const REPORT_OPTIONS: RunOptions = { iframes: false, resultTypes: ['violations', 'incomplete'] };
const ALL_RULES: RunOptions = {
  ...REPORT_OPTIONS,
  rules: Object.fromEntries(
    axe.getRules().map(({ ruleId }) => [ruleId, { enabled: !(ruleId in DISABLED_RULES) }]),
  ),
};
/** Rules that measure layout, fonts, or colors. The others read the DOM, which engines share. */
const RENDERING_RULES: RunOptions = {
  ...REPORT_OPTIONS,
  runOnly: [
    'color-contrast',
    'label-content-name-mismatch',
    'link-in-text-block',
    'p-as-heading',
    'scrollable-region-focusable',
    'target-size',
  ],
};
const ENGINE_RULES = navigator.userAgent.includes('Chrome/') ? ALL_RULES : RENDERING_RULES;
const COLOR_RULES: RunOptions = {
  ...REPORT_OPTIONS,
  runOnly: ['color-contrast', 'link-in-text-block'],
};

/** Returns the violations and incomplete results of axe. */
async function findIssues(options: RunOptions): Promise<string[]> {
  const { violations, incomplete } = await axe.run(document, options);
  const formatIssues =
    (kind: string) =>
    ({ id, nodes }: Result): string[] =>
      nodes.map(
        ({ html: code, any, all, none }) =>
          `${kind}: ${id}: ${[...any, ...all, ...none].map(({ message }) => message).join('; ')} ${code.slice(0, 300)}`,
      );
  return [
    ...violations.flatMap(formatIssues('violation')),
    ...incomplete.flatMap(formatIssues('incomplete')),
  ];
}

const formWithSeveralMethods = createFormWithPayments(stubPayment, offlinePayment);

type ShowState = () => Promise<DonationFormElement>;

const showForm =
  (definition: FormDefinition, attributes?: Readonly<Record<string, string>>): ShowState =>
  async () => {
    testPage.definition = definition;
    const form = await testPage.showForm('', attributes);
    await waitForPaymentField(form);
    return form;
  };

const showExpanded: ShowState = async () => {
  const form = await showForm(fullForm)();
  await clickControls(
    form,
    '[name="split.enabled"]',
    '[name="split.projects"][value="2"]',
    '[name="tribute.kind"][value=memory]',
    '[name="organization.enabled"]',
  );
  await selectCountry(form, 'US');
  await waitUntil(() => form.shadowRoot!.querySelector('select[name=state]'));
  return form;
};

/** Submits a donation and shows the result. */
const showResponse =
  (...responses: TestPage['responses']): ShowState =>
  async () => {
    const form = await showForm(exampleForm)();
    fillDonor(form);
    testPage.responses.push(...responses);
    await submitForm(form);
    return form;
  };
const showOutcome = (...outcome: Parameters<TestPage['queueOutcome']>): ShowState =>
  showResponse((request) => createOutcome(request, ...outcome));

/** Shows a form whose definition request is pending or fails. */
const showUnloaded =
  (respond: () => Promise<Response>, selector: string): ShowState =>
  async () => {
    window.fetch = respond;
    const container = await fixture<HTMLElement>(
      html`<div><donation-form endpoint="https://give.test/"><a href="https://example.org/give">Give another way</a></donation-form></div>`,
    );
    const form = container.querySelector('donation-form')!;
    await waitUntil(() => form.shadowRoot!.querySelector(selector));
    return form;
  };

const splitPart = { projectId: '1', projectName: 'Where it is needed most', amount: '25.00' };

const states: Readonly<Record<string, ShowState>> = {
  'while loading': showUnloaded(() => new Promise(() => undefined), '.skeleton'),
  unavailable: showUnloaded(() => Promise.reject(new TypeError('Failed to fetch')), '#unavailable'),
  'initial state': showForm(exampleForm),
  'with every section': showForm(fullForm),
  'with every section expanded': showExpanded,
  'with many projects': showForm({ ...fullForm, projects: manyProjects }),
  'with a search without results': async () => {
    const form = await showForm({ ...fullForm, projects: manyProjects })();
    await clickControls(form, '.more');
    await selectOption(form, '[type=search]', 'moon');
    return form;
  },
  'with a fixed project': showForm(exampleForm, { project: 'WATER' }),
  'with the monthly suggestion accepted': async () => {
    const form = await showForm(fullForm)();
    await clickControls(form, '.upsell button');
    return form;
  },
  'with the debug panel': async () => {
    testPage.definition = exampleForm;
    const form = await testPage.showForm('?amt=75&Frequency=dayly&frequenzy=monthly', {
      debug: '',
      segment: 'SITE',
    });
    await waitForPaymentField(form);
    await waitUntil(() => form.shadowRoot!.querySelector('.debug'));
    return form;
  },
  'with validation errors': async () => {
    const form = await showForm(exampleForm)();
    enterText(form, 'customAmount', '1');
    await submitForm(form);
    return form;
  },
  'with validation errors in every section': async () => {
    const form = await showExpanded();
    await clickControls(form, '[name="split.projects"][value="2"]');
    await submitForm(form);
    return form;
  },
  'while submitting': async () => {
    const form = await showForm(exampleForm)();
    fillDonor(form);
    testPage.responses.push(
      new Promise((resolve) => {
        completeSubmission = () => resolve(createProblem(503, 'unavailable'));
      }),
    );
    await pressSubmit(form);
    await waitUntil(() => testPage.postedDonations.length > 0);
    return form;
  },
  'after a declined card': showOutcome('failed', 'card-declined'),
  'with incomplete card details': async () => {
    testPage.paymentProvider.confirmation = { problem: 'incomplete' };
    return showResponse()();
  },
  'after a network error': showResponse('network error'),
  'while offline': async () => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    return showResponse('network error')().finally(() => {
      delete (navigator as { onLine?: boolean }).onLine;
    });
  },
  'after too many requests': showResponse(createProblem(429, 'too-many-requests')),
  'after the form definition changed': showResponse(createProblem(409, 'form-outdated')),
  'after a rejected donation': showResponse(createProblem(422, 'total-mismatch')),
  'with an unconfirmed donation': showOutcome('unconfirmed'),
  'with a processing donation': showOutcome('processing'),
  'with several payment methods': showForm(formWithSeveralMethods),
  'with an offline payment method': async () => {
    const form = await showForm(formWithSeveralMethods)();
    await clickControls(form, '[name="payment.provider"][value=offline]');
    return form;
  },
  'with hosted checkout': async () => {
    testPage.definition = createFormWithPayments({ ...stubPayment, provider: 'nobody' });
    const form = await testPage.showForm();
    await waitUntil(() => form.shadowRoot!.querySelector('.hosted'));
    return form;
  },
  'with a required action': async () => {
    testPage.createActionResponse = () => createOutcome(testPage.requests[0]!, 'requires_action');
    return showOutcome('requires_action', undefined, {
      action: { kind: 'field', secret: 's' },
    })();
  },
  'with a required action after a network error': async () => {
    testPage.createActionResponse = () => 'network error';
    return showOutcome('requires_action', undefined, {
      action: { kind: 'field', secret: 's' },
    })();
  },
  'after a failed authentication': showOutcome('failed', 'not-confirmed'),
  'with payment instructions': showOutcome('processing', undefined, {
    instructions: 'Send it to:\nDE00 1234',
  }),
  'thank-you screen of a recurring donation': async () => {
    const form = await showForm(exampleForm)();
    fillDonor(form);
    await clickControls(form, '[name=frequency][value=monthly]');
    await submitForm(form);
    return form;
  },
  'thank-you screen': showResponse(),
  'thank-you screen of a split donation': showOutcome('succeeded', undefined, {
    response: {
      success: true,
      message: null,
      transactionId: 'ch_1',
      amount: 50,
      projectSplit: [splitPart, { ...splitPart, projectId: '2', projectName: 'Village wells' }],
    },
  }),
};

/** Completes a pending submission. */
let completeSubmission: (() => void) | undefined;

/** Adds the landmarks and headings of a page around the form, and disables animations. */
function addPageContext(form: DonationFormElement): void {
  const main = form.parentElement!;
  const title = document.createElement('h1');
  main.setAttribute('role', 'main');
  title.textContent = 'Give clean water';
  main.prepend(title);
  const noMotion = new CSSStyleSheet();
  noMotion.replaceSync('* { transition: none !important; animation: none !important }');
  form.shadowRoot!.adoptedStyleSheets.push(noMotion);
}

describe('<donation-form> accessibility', () => {
  const root = document.documentElement;
  before(() => {
    root.lang = 'en';
    document.title = 'Give';
    const sheet = document.createElement('style');
    sheet.textContent = 'main { margin: 1em }';
    document.head.append(sheet);
  });
  afterEach(() => {
    root.style.cssText = '';
    completeSubmission?.();
    completeSubmission = undefined;
  });

  for (const [state, show] of Object.entries(states)) {
    it(`passes axe in light and dark: ${state}`, async function () {
      this.timeout(60_000);
      const form = await show();
      addPageContext(form);
      expect(await findIssues(ENGINE_RULES), 'light').to.deep.equal([]);
      root.style.cssText = 'color-scheme: dark; background: #101413; color: #eef2f0';
      expect(await findIssues(COLOR_RULES), 'dark').to.deep.equal([]);
    });
  }

  it('detects insufficient text contrast', async () => {
    const form = await showForm(exampleForm)();
    addPageContext(form);
    form.style.setProperty('--donation-muted', '#ccc');
    expect(await findIssues(COLOR_RULES)).to.not.deep.equal([]);
  });
});
