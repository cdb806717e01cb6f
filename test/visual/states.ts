import type { Language } from '../../src/core/i18n/language.ts';
import { outcome, problem, type Stage } from './stage.ts';

export type Scheme = 'light' | 'dark';
export type Direction = 'ltr' | 'rtl';

/**
 * One image: how the page around the form is. `width` is the page's, of which 32 pixels are beside
 * the form.
 */
export interface Look {
  readonly scheme: Scheme;
  readonly width: number;
  readonly direction: Direction;
}

/** A state of the form that somebody may see. */
export interface State {
  /** Begins the names of its images. */
  readonly name: string;
  readonly title: string;
  /** One sentence. */
  readonly what: string;
  readonly form:
    | 'plainForm'
    | 'wholeForm'
    | 'suggestingForm'
    | 'formOfManyProjects'
    | 'formOfSeveralWays'
    | 'formWithoutField';
  /** Of which page widths there are images; 360 and 768 where absent. */
  readonly widths?: readonly number[];
  /**
   * Selectors of the first and the last part that is in the images; the whole form where absent.
   */
  readonly parts?: readonly [first: string, last: string];
  /** Before the page is opened. */
  readonly prepare?: (stage: Stage) => void;
  /** What the donor does. */
  readonly act?: (stage: Stage) => Promise<void>;
  /** What is there when the state is reached. */
  readonly until?: string;
}

const END = ['[part=payment]', '.finish'] as const;

async function openAll(stage: Stage): Promise<void> {
  const { form } = stage;
  const { projects } = stage.definition;
  const control = (name: string) => stage.control(name);
  await control('split.on').check();
  for (const { id } of projects.slice(1, 4))
    await form.locator(`[name="split.chosen"][value="${id}"]`).check();
  await control(`part.${projects[1]!.id}`).fill('20');
  await form.locator('[name="tribute.kind"][value="honor"]').check({ force: true });
  await control('organization.is').check();
  await control('country').selectOption('US');
  await form.locator('select[name=state]').waitFor();
}

export async function chooseTransfer(stage: Stage): Promise<void> {
  await stage.form.locator('[name="payment.provider"][value=offline]').check({ force: true });
}

/** Opens what a whole form has to open, and presses the button too early. */
export async function openAllAndPress(stage: Stage): Promise<void> {
  await openAll(stage);
  await stage.press();
}

const answering =
  (answer: Stage['answer']) =>
  (stage: Stage): void => {
    stage.answer = answer;
  };
const names = ({ definition: { projects } }: Stage): string[] => projects.map(({ name }) => name);

export const STATES: readonly State[] = [
  {
    name: 'loading',
    title: 'Loading',
    what: 'Blocks of the sizes that the form will have, until its definition has come.',
    form: 'plainForm',
    prepare: (stage) => {
      stage.formAnswer = 'silence';
    },
    until: '.skeleton',
  },
  {
    name: 'plain',
    title: 'A plain form',
    what: 'What most forms ask for: how often, how much, what for, who gives, and how it is paid.',
    form: 'plainForm',
  },
  {
    name: 'whole',
    title: 'A form with everything on',
    what: "Currencies, a goal, parts, a tribute, an organisation, an address, the organisation's own fields and consents.",
    form: 'wholeForm',
  },
  {
    name: 'whole-opened',
    title: 'With everything opened',
    what: 'The gift is divided over three projects, given in honour of somebody, by an organisation with an address in the United States.',
    form: 'wholeForm',
    act: openAll,
    until: 'select[name=state]',
  },
  {
    name: 'problems',
    title: 'Something is missing',
    what: 'The button was pressed too early: each field says what it lacks, and the list leads to the fields.',
    form: 'plainForm',
    act: async (stage) => {
      await stage.control('email').fill('ana@');
      await stage.press();
    },
    until: '#notice',
  },
  {
    name: 'problems-whole',
    title: 'Something is missing, with everything opened',
    what: 'The same where a form asks for everything.',
    form: 'wholeForm',
    act: openAllAndPress,
    until: '#notice',
  },
  {
    name: 'monthly-suggestion',
    title: 'A monthly gift is suggested',
    what: 'Who gives once is asked whether a smaller gift every month would suit.',
    form: 'suggestingForm',
    parts: ['[part=frequency]', '.nudge'],
    until: '.nudge button',
  },
  {
    name: 'monthly-taken',
    title: 'The monthly gift was taken',
    what: 'The gift is now a monthly one, and a line says so.',
    form: 'suggestingForm',
    parts: ['[part=frequency]', '.nudge'],
    act: ({ form }) => form.locator('.nudge button').click(),
    until: '.nudge p:only-child',
  },
  {
    name: 'many-projects',
    title: 'Many projects',
    what: 'More projects than fit in a short list can be searched.',
    form: 'formOfManyProjects',
    parts: ['[part=purpose]', '[part=purpose]'],
    act: (stage) => stage.control('project.find').fill('school'),
    until: '.project[hidden]',
  },
  {
    name: 'ways',
    title: 'Several ways to pay',
    what: "The donor chooses how to pay; what was entered in the card's field stays.",
    form: 'formOfSeveralWays',
    parts: END,
    until: '.ways',
  },
  {
    name: 'ways-offline',
    title: 'Paying elsewhere',
    what: 'Nothing is paid here: the form says how, and the line under the button speaks of no payment details.',
    form: 'formOfSeveralWays',
    parts: END,
    act: (stage) => chooseTransfer(stage),
    until: '.instructions',
  },
  {
    name: 'hosted',
    title: "Paying on the processor's page",
    what: "Where no payment field can be shown, the donor pays on the processor's own page in the next step.",
    form: 'formWithoutField',
    parts: END,
    until: '.hosted',
  },
  {
    name: 'sending',
    title: 'Sending',
    what: 'The gift is on its way: nothing can be changed, and nothing jumps.',
    form: 'plainForm',
    prepare: answering(() => 'silence'),
    parts: END,
    act: (stage) => stage.give(),
    until: '[aria-disabled]',
  },
  {
    name: 'card-incomplete',
    title: 'The card is incomplete',
    what: 'The payment field says what it lacks, and the notice points to it.',
    form: 'plainForm',
    parts: END,
    act: async (stage) => {
      await stage.fillDonor();
      await stage.press();
    },
    until: '#notice',
  },
  {
    name: 'declined',
    title: 'The card was declined',
    what: 'Nothing was charged, and what can be done about it.',
    form: 'plainForm',
    parts: END,
    prepare: answering((request) => outcome(request, 'declined')),
    act: (stage) => stage.give(),
    until: '#notice',
  },
  {
    name: 'no-answer',
    title: 'No answer',
    what: 'The line broke; the next press charges once at most.',
    form: 'plainForm',
    parts: END,
    prepare: answering(() => 'no answer'),
    act: (stage) => stage.give(),
    until: '#notice',
  },
  {
    name: 'offline',
    title: 'Offline',
    what: "The donor's device has no connection; what was typed stays.",
    form: 'plainForm',
    parts: END,
    act: (stage) => stage.give(),
    until: '#notice',
    prepare: (stage) => {
      stage.answer = async () => {
        await stage.context.setOffline(true);
        return 'no answer' as const;
      };
    },
  },
  {
    name: 'too-many-requests',
    title: 'Too many requests',
    what: 'From when on another press makes sense.',
    form: 'plainForm',
    parts: END,
    prepare: answering(() => problem(429, 'too-many-requests', { 'Retry-After': '90' })),
    act: (stage) => stage.give(),
    until: '#notice',
  },
  {
    name: 'form-outdated',
    title: 'The form was changed meanwhile',
    what: 'The organisation changed the form while it was filled in; nothing was charged.',
    form: 'plainForm',
    parts: END,
    act: (stage) => stage.give(),
    until: '#notice',
    prepare: (stage) => {
      stage.answer = () => {
        stage.changeDefinition({ ...stage.definition, allowCustomAmount: false });
        return problem(409, 'form-outdated');
      };
    },
  },
  {
    name: 'settings-changed',
    title: 'The page changed the gift',
    what: 'A script of the page set another gift than the one that was shown; nothing was charged.',
    form: 'plainForm',
    parts: END,
    until: '#notice',
    act: async (stage) => {
      await stage.page.evaluate(() => {
        window.ServiceDonorsForms = { settings: { giftInfo: { amount: 75 } } };
      });
      await stage.give();
    },
  },
  {
    name: 'checking',
    title: 'The gift is being checked',
    what: 'The payment processor has not said yet whether the payment went through.',
    form: 'plainForm',
    prepare: answering((request) => outcome(request, 'checking')),
    act: (stage) => stage.give(),
    until: '[part=checking]',
  },
  {
    name: 'action',
    title: 'One more step',
    what: 'The bank or the payment page waits for the donor; nothing was charged yet.',
    form: 'plainForm',
    prepare: answering((request) =>
      outcome(request, 'action', [], { action: { kind: 'field', secret: 's' } }),
    ),
    act: (stage) => stage.give(),
    until: '[part=action]',
  },
  {
    name: 'action-unknown',
    title: 'One more step, without an answer',
    what: 'The endpoint could not be asked what came of it.',
    form: 'plainForm',
    prepare: answering((request) =>
      outcome(request, 'action', [], { action: { kind: 'field', secret: 's' } }),
    ),
    until: '[part=action] .notice',
    act: async (stage) => {
      await stage.give();
      await stage.form.locator('[part=action]').waitFor();
      stage.confirmed = () => 'no answer';
      await stage.form.locator('.steps button').first().click();
    },
  },
  {
    name: 'not-confirmed',
    title: 'The bank was not told',
    what: 'The donor did not confirm the payment; nothing was charged.',
    form: 'plainForm',
    parts: END,
    prepare: answering((request) => outcome(request, 'declined', [], { reason: 'not-confirmed' })),
    act: (stage) => stage.give(),
    until: '#notice',
  },
  {
    name: 'pending',
    title: 'The money comes later',
    what: 'The bank has accepted the gift and pays within days.',
    form: 'plainForm',
    prepare: answering((request) => outcome(request, 'pending')),
    act: (stage) => stage.give(),
    until: '[part=thanks]',
  },
  {
    name: 'pending-instructions',
    title: 'How to pay',
    what: 'The gift is noted; what the donor has to do now, with the reference.',
    form: 'formOfSeveralWays',
    until: '[part=thanks]',
    prepare: (stage) => {
      stage.answer = (request) =>
        outcome(request, 'pending', [], {
          instructions: stage.definition.payments[1]!.options.instructions,
        });
    },
    act: async (stage) => {
      await chooseTransfer(stage);
      await stage.fillDonor();
      await stage.press();
    },
  },
  {
    name: 'thanks-monthly',
    title: 'Thank you for a monthly gift',
    what: 'The thank-you of a gift that is given every month leads to where it can be changed or ended.',
    form: 'plainForm',
    until: '[part=thanks]',
    prepare: (stage) => {
      stage.answer = (request) => outcome(request, 'succeeded', [[names(stage)[1]!, '50.00']]);
    },
    act: async (stage) => {
      await stage.form.locator('[name=frequency][value=monthly]').check({ force: true });
      await stage.give();
    },
  },
  {
    name: 'thanks',
    title: 'Thank you',
    what: 'The thank-you, with the costs covered.',
    form: 'plainForm',
    until: '[part=thanks]',
    prepare: (stage) => {
      stage.answer = (request) => outcome(request, 'succeeded', [[names(stage)[1]!, '50.00']]);
    },
    act: async (stage) => {
      await stage.control('coverCosts').check();
      await stage.give();
    },
  },
  {
    name: 'thanks-parts',
    title: 'Thank you, in three parts',
    what: 'The thank-you of a gift that was divided over three projects.',
    form: 'plainForm',
    until: '[part=thanks]',
    act: (stage) => stage.give(),
    prepare: (stage) => {
      stage.answer = (request) =>
        outcome(
          request,
          'succeeded',
          names(stage)
            .slice(1)
            .map((name, index) => [name, ['20.00', '15.00', '15.00'][index]!]),
        );
    },
  },
  {
    name: 'unavailable',
    title: 'The form cannot be shown',
    what: 'The endpoint does not answer: the link that the page put into the element stays in sight.',
    form: 'plainForm',
    prepare: (stage) => {
      stage.formAnswer = 'unavailable';
    },
    until: '#unavailable',
  },
  {
    name: 'compact-plain',
    title: 'A plain form in a narrow column',
    what: 'In a column of 280 pixels.',
    form: 'plainForm',
    widths: [312],
  },
  {
    name: 'compact-whole',
    title: 'With everything opened, in a narrow column',
    what: 'In a column of 280 pixels, after the button was pressed too early.',
    form: 'wholeForm',
    widths: [312],
    act: openAllAndPress,
    until: '#notice',
  },
];

export const languageIn = (direction: Direction): Language => (direction === 'rtl' ? 'ar' : 'en');

/** These states hold the most, so they are looked at in every combination. */
const STATES_WITH_ALL_LOOKS = ['plain', 'problems-whole', 'thanks'];

/**
 * The pictures of a state. Two are enough for most: together they cover both color schemes, both
 * widths, and both directions.
 */
export function looksOf({ name, widths = [360, 768] }: State): Look[] {
  if (!STATES_WITH_ALL_LOOKS.includes(name)) {
    return [
      { scheme: 'light', width: widths[0]!, direction: 'ltr' },
      { scheme: 'dark', width: widths.at(-1)!, direction: 'rtl' },
    ];
  }
  return (['ltr', 'rtl'] as const).flatMap((direction) =>
    widths.flatMap((width) =>
      (['light', 'dark'] as const).map((scheme): Look => ({ scheme, width, direction })),
    ),
  );
}

export const imageOf = ({ name }: State, { scheme, width, direction }: Look): string =>
  `${name}-${scheme}-${width}-${direction}.png`;
