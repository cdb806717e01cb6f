import type { Language } from '../../src/core/i18n/languages.ts';
import { createOutcome, createProblem, type Stage } from './stage.ts';

export type Scheme = 'light' | 'dark';
export type Direction = 'ltr' | 'rtl';

/**
 * Variant of a screenshot. `width` is that of the page, of which 32 pixels are outside the form.
 */
export interface Variant {
  readonly scheme: Scheme;
  readonly width: number;
  readonly direction: Direction;
}

/** A visible state of the form. */
export interface State {
  /** Prefix of the screenshots' file names. */
  readonly name: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  /** Function of definitions.ts. */
  readonly formFactory:
    | 'createPlainForm'
    | 'createFullForm'
    | 'createFormWithEveryPart'
    | 'createMonthlyUpsellForm'
    | 'createManyProjectsForm'
    | 'createSeveralMethodsForm'
    | 'createFormWithoutPaymentField'
    | 'createWalletsForm';
  /** If true, it looks like the state `network-error`, with other texts. */
  readonly differsOnlyInTexts?: boolean;
  /** Page widths of the screenshots; 360 and 768 by default. */
  readonly widths?: readonly number[];
  /** Selectors of the first and last part in the screenshot; the whole form by default. */
  readonly parts?: readonly [first: string, last: string];
  /** Runs before the page opens. */
  readonly prepare?: (stage: Stage) => void;
  /** Performs the donor's actions. */
  readonly act?: (stage: Stage) => Promise<void>;
  /** Selector that matches once the state is reached. */
  readonly readySelector?: string;
}

const PAYMENT_SECTION = ['[part=payment]', '.submit'] as const;

/** Registers a provider with two wallet buttons on the page. */
function registerWalletProvider({ page }: Stage): void {
  void page.addInitScript(() => {
    const mountWallets = async (host: HTMLElement): Promise<object> => {
      const row = document.createElement('div');
      row.style.cssText = 'display: grid; grid-template-columns: 1fr 1fr; gap: 8px';
      host.append(row);
      for (const [text, background, color] of [
        ['Wallet A', '#000', '#fff'],
        ['Wallet B', '#ffc439', '#222'],
      ] as const) {
        const button = document.createElement('button');
        button.textContent = text;
        button.style.cssText = `height: 48px; border: 0; border-radius: 10px; font: inherit; font-weight: 600; background: ${background}; color: ${color}`;
        row.append(button);
      }
      return { update: () => undefined, focus: () => undefined, destroy: () => undefined };
    };
    const mount = async () => ({
      update: () => undefined,
      focus: () => undefined,
      destroy: () => undefined,
    });
    const providers = new Map([['wallets', async () => ({ mount, mountWallets })]]);
    Object.assign(globalThis, { [Symbol.for('donation-form payment providers')]: providers });
  });
}

async function expandAll(stage: Stage): Promise<void> {
  const { form } = stage;
  const { projects } = stage.definition;
  const findControl = (name: string) => stage.findControl(name);
  await findControl('split.enabled').check();
  for (const { id } of projects.slice(1, 4))
    await form.locator(`[name="split.projects"][value="${id}"]`).check();
  await findControl(`split.amount.${projects[1]!.id}`).fill('20');
  await form.locator('[name="tribute.kind"][value="honor"]').check({ force: true });
  await findControl('organization.enabled').check();
  await findControl('country').selectOption('US');
  await form.locator('select[name=state]').waitFor();
}

export async function chooseBankTransfer(stage: Stage): Promise<void> {
  // Without coordinates, because a field that loads again can move the row.
  await stage.form.locator('[name="payment.provider"][value=offline]').dispatchEvent('click');
}

/** Expands all sections of a full form and submits it with missing fields. */
export async function expandAllAndSubmit(stage: Stage): Promise<void> {
  await expandAll(stage);
  await stage.submit();
}

const respondWith =
  (answer: Stage['respond']) =>
  (stage: Stage): void => {
    stage.respond = answer;
  };
const listProjectNames = ({ definition: { projects } }: Stage): string[] =>
  projects.map(({ name }) => name);

export const STATES: readonly State[] = [
  {
    name: 'loading',
    title: 'Loading',
    description: 'Placeholders with the size of the form, until its definition has loaded.',
    formFactory: 'createPlainForm',
    prepare: (stage) => {
      stage.formResponse = 'no-response';
    },
    readySelector: '.skeleton',
  },
  {
    name: 'plain',
    title: 'A plain form',
    description: "The form's most common sections.",
    formFactory: 'createPlainForm',
  },
  {
    name: 'full',
    title: 'A form with every section',
    description:
      'Currencies, a goal, a split, a tribute, an organization, an address, custom fields, and consents.',
    formFactory: 'createFullForm',
  },
  {
    name: 'full-expanded',
    title: 'Every section expanded',
    description:
      'A donation from an organization, in honor of a person, split among three projects.',
    formFactory: 'createFullForm',
    act: expandAll,
    readySelector: 'select[name=state]',
  },
  {
    name: 'validation-errors',
    title: 'Missing fields',
    description: 'Each incomplete field shows what is missing; a list links to these fields.',
    formFactory: 'createPlainForm',
    act: async (stage) => {
      await stage.findControl('email').fill('ana@');
      await stage.submit();
    },
    readySelector: '#notice',
  },
  {
    name: 'validation-errors-full',
    title: 'Missing fields, every section expanded',
    description: 'The same in a form with every section.',
    formFactory: 'createFullForm',
    act: expandAllAndSubmit,
    readySelector: '#notice',
  },
  {
    name: 'monthly-upsell',
    title: 'Monthly upsell',
    description: 'The form offers one-time donors a smaller monthly donation instead.',
    formFactory: 'createMonthlyUpsellForm',
    parts: ['[part=frequency]', '.upsell'],
    readySelector: '.upsell button',
  },
  {
    name: 'monthly-upsell-accepted',
    title: 'Monthly upsell accepted',
    description: 'The donation is now monthly, and the form confirms it.',
    formFactory: 'createMonthlyUpsellForm',
    parts: ['[part=frequency]', '.upsell'],
    act: ({ form }) => form.locator('.upsell button').click(),
    readySelector: '.upsell p:only-child',
  },
  {
    name: 'many-projects',
    title: 'Many projects',
    description: 'The form shows five projects; search finds the others.',
    formFactory: 'createManyProjectsForm',
    parts: ['[part=project]', '[part=project]'],
    act: async (stage) => {
      await stage.form.locator('.more').click();
      await stage.findControl('project.search').fill('school');
    },
    readySelector: '.project[hidden]',
  },
  {
    name: 'wallets',
    title: 'Wallets',
    description:
      "The buttons of the donor's wallets, with their total, before the donor's details. The pictures show placeholders.",
    formFactory: 'createWalletsForm',
    parts: ['.wallets', '.wallets'],
    prepare: registerWalletProvider,
    act: (stage) => stage.findControl('coverCosts').check(),
    readySelector: '.wallets.available',
  },
  {
    name: 'payment-methods',
    title: 'Several payment methods',
    description: 'If the donor chooses another payment method, the card field keeps its content.',
    formFactory: 'createSeveralMethodsForm',
    parts: PAYMENT_SECTION,
    readySelector: '.providers',
  },
  {
    name: 'offline-payment',
    title: 'Offline payment',
    description:
      'The donor pays later: the form shows instructions and does not mention payment details below the button.',
    formFactory: 'createSeveralMethodsForm',
    parts: PAYMENT_SECTION,
    act: (stage) => chooseBankTransfer(stage),
    readySelector: '.instructions',
  },
  {
    name: 'hosted-checkout',
    title: 'Hosted checkout',
    description:
      "If no payment field can be shown, the donor pays on the payment provider's page in the next step.",
    formFactory: 'createFormWithoutPaymentField',
    parts: PAYMENT_SECTION,
    readySelector: '.hosted',
  },
  {
    name: 'submitting',
    title: 'Submitting',
    description: 'The donor cannot change anything, and the layout stays stable.',
    formFactory: 'createPlainForm',
    prepare: respondWith(() => 'no-response'),
    parts: PAYMENT_SECTION,
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '[aria-disabled]',
  },
  {
    name: 'payment-details-incomplete',
    title: 'Incomplete card details',
    description: 'The payment field shows what is missing, and the notice points to it.',
    formFactory: 'createPlainForm',
    parts: PAYMENT_SECTION,
    act: async (stage) => {
      await stage.fillDonor();
      await stage.submit();
    },
    readySelector: '#notice',
  },
  {
    name: 'card-declined',
    title: 'Card declined',
    description:
      'The donor has not been charged. The payment field is empty again, and the notice links to the payment methods.',
    formFactory: 'createSeveralMethodsForm',
    parts: PAYMENT_SECTION,
    prepare: respondWith((request) => createOutcome(request, 'failed')),
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '#notice',
  },
  {
    name: 'network-error',
    title: 'Network error',
    description: 'The connection failed; submitting again charges at most once.',
    formFactory: 'createPlainForm',
    parts: PAYMENT_SECTION,
    prepare: respondWith(() => 'network-error'),
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '#notice',
  },
  {
    name: 'offline',
    title: 'Offline',
    description: "The donor's device is offline; the form keeps all input.",
    differsOnlyInTexts: true,
    formFactory: 'createPlainForm',
    parts: PAYMENT_SECTION,
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '#notice',
    prepare: (stage) => {
      stage.respond = async () => {
        await stage.context.setOffline(true);
        return 'network-error' as const;
      };
    },
  },
  {
    name: 'too-many-requests',
    title: 'Too many requests',
    description: 'The form says when the donor can try again.',
    differsOnlyInTexts: true,
    formFactory: 'createPlainForm',
    parts: PAYMENT_SECTION,
    prepare: respondWith(() => createProblem(429, 'too-many-requests', { 'Retry-After': '90' })),
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '#notice',
  },
  {
    name: 'form-outdated',
    title: 'The form has changed',
    description:
      'The organization changed the form while the donor filled it in. The donor has not been charged.',
    differsOnlyInTexts: true,
    formFactory: 'createPlainForm',
    parts: PAYMENT_SECTION,
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '#notice',
    prepare: (stage) => {
      stage.respond = () => {
        stage.changeDefinition({ ...stage.definition, allowCustomAmount: false });
        return createProblem(409, 'form-outdated');
      };
    },
  },
  {
    name: 'settings-changed',
    title: 'The page changed the amount',
    description:
      'A script of the page changed the amount that was shown. The donor has not been charged.',
    differsOnlyInTexts: true,
    formFactory: 'createPlainForm',
    parts: PAYMENT_SECTION,
    readySelector: '#notice',
    act: async (stage) => {
      await stage.page.evaluate(() => {
        window.ServiceDonorsForms = { settings: { giftInfo: { amount: 75 } } };
      });
      await stage.fillAndSubmit();
    },
  },
  {
    name: 'unconfirmed',
    title: 'Confirming the payment',
    description: 'The payment provider has not confirmed the payment yet.',
    formFactory: 'createPlainForm',
    prepare: respondWith((request) => createOutcome(request, 'unconfirmed')),
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '[part=unconfirmed]',
  },
  {
    name: 'requires-action',
    title: 'One more step',
    description: 'The bank or the payment page waits for the donor, who has not been charged yet.',
    formFactory: 'createPlainForm',
    prepare: respondWith((request) =>
      createOutcome(request, 'requires_action', [], { action: { kind: 'field', secret: 's' } }),
    ),
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '[part=requires-action]',
  },
  {
    name: 'requires-action-network-error',
    title: 'One more step, network error',
    description: 'The endpoint could not be reached to check the payment.',
    formFactory: 'createPlainForm',
    prepare: respondWith((request) =>
      createOutcome(request, 'requires_action', [], { action: { kind: 'field', secret: 's' } }),
    ),
    readySelector: '[part=requires-action] .notice',
    act: async (stage) => {
      await stage.fillAndSubmit();
      await stage.form.locator('[part=requires-action]').waitFor();
      stage.respondToConfirm = () => 'network-error';
      await stage.form.locator('.steps button').first().click();
    },
  },
  {
    name: 'not-confirmed',
    title: 'Payment not confirmed',
    description:
      'The donor did not confirm the payment and has not been charged. The payment field is empty again.',
    formFactory: 'createPlainForm',
    parts: PAYMENT_SECTION,
    prepare: respondWith((request) =>
      createOutcome(request, 'failed', [], { reason: 'not-confirmed' }),
    ),
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '#notice',
  },
  {
    name: 'processing',
    title: 'Processing',
    description: 'The bank has accepted the donation and will pay within days.',
    formFactory: 'createPlainForm',
    prepare: respondWith((request) => createOutcome(request, 'processing')),
    act: (stage) => stage.fillAndSubmit(),
    readySelector: '[part=thank-you]',
  },
  {
    name: 'payment-instructions',
    title: 'Payment instructions',
    description: 'The donation is recorded; the form shows how to pay, with the reference.',
    formFactory: 'createSeveralMethodsForm',
    readySelector: '[part=thank-you]',
    prepare: (stage) => {
      stage.respond = (request) =>
        createOutcome(request, 'processing', [], {
          instructions: stage.definition.payments[1]!.options.instructions,
        });
    },
    act: async (stage) => {
      await chooseBankTransfer(stage);
      await stage.fillDonor();
      await stage.submit();
    },
  },
  {
    name: 'thank-you-monthly',
    title: 'Thank you for a monthly donation',
    description: 'The thank-you screen links to where the donor can change or cancel the donation.',
    formFactory: 'createPlainForm',
    readySelector: '[part=thank-you]',
    prepare: (stage) => {
      stage.respond = (request) =>
        createOutcome(request, 'succeeded', [[listProjectNames(stage)[1]!, '50.00']]);
    },
    act: async (stage) => {
      await stage.form.locator('[name=frequency][value=monthly]').check({ force: true });
      await stage.fillAndSubmit();
    },
  },
  {
    name: 'thank-you',
    title: 'Thank you',
    description: 'The thank-you screen after a donation with fee cover.',
    formFactory: 'createPlainForm',
    readySelector: '[part=thank-you]',
    prepare: (stage) => {
      stage.respond = (request) =>
        createOutcome(request, 'succeeded', [[listProjectNames(stage)[1]!, '50.00']]);
    },
    act: async (stage) => {
      await stage.findControl('coverCosts').check();
      await stage.fillAndSubmit();
    },
  },
  {
    name: 'thank-you-split',
    title: 'Thank you for a split donation',
    description: 'The thank-you screen after a donation that was split among three projects.',
    formFactory: 'createPlainForm',
    readySelector: '[part=thank-you]',
    act: (stage) => stage.fillAndSubmit(),
    prepare: (stage) => {
      stage.respond = (request) =>
        createOutcome(
          request,
          'succeeded',
          listProjectNames(stage)
            .slice(1)
            .map((name, index) => [name, ['20.00', '15.00', '15.00'][index]!]),
        );
    },
  },
  {
    name: 'unavailable',
    title: 'The form is unavailable',
    description:
      'The endpoint does not respond. The link that the page placed inside the element stays visible.',
    formFactory: 'createPlainForm',
    prepare: (stage) => {
      stage.formResponse = 'unavailable';
    },
    readySelector: '#unavailable',
  },
  {
    name: 'narrow-plain',
    title: 'A plain form in a narrow column',
    description: 'The column is 280 pixels wide.',
    formFactory: 'createPlainForm',
    widths: [312],
  },
  {
    name: 'narrow-full',
    title: 'Every section in a narrow column',
    description: 'The column is 280 pixels wide, and required fields are missing.',
    formFactory: 'createFullForm',
    widths: [312],
    act: expandAllAndSubmit,
    readySelector: '#notice',
  },
];

export const getLanguage = (direction: Direction): Language => (direction === 'rtl' ? 'ar' : 'en');

/** The most complex states have four screenshots instead of two. */
const COMPLEX_STATES = ['plain', 'validation-errors-full', 'thank-you'];

/**
 * Lists the screenshots of a state. Two cover both color schemes, widths, and directions; four also
 * cover every pair of them. A state that differs from another one only in its texts has one.
 */
export function listVariants({ name, widths = [360, 768], differsOnlyInTexts }: State): Variant[] {
  const narrow = widths[0]!;
  const wide = widths.at(-1)!;
  const lightNarrow: Variant = { scheme: 'light', width: narrow, direction: 'ltr' };
  const darkWide: Variant = { scheme: 'dark', width: wide, direction: 'rtl' };
  if (differsOnlyInTexts) return [lightNarrow];
  if (!COMPLEX_STATES.includes(name)) return [lightNarrow, darkWide];
  return [
    lightNarrow,
    { scheme: 'dark', width: wide, direction: 'ltr' },
    { scheme: 'dark', width: narrow, direction: 'rtl' },
    { scheme: 'light', width: wide, direction: 'rtl' },
  ];
}

export const getFileName = ({ name }: State, { scheme, width, direction }: Variant): string =>
  `${name}-${scheme}-${width}-${direction}.png`;
