import type { Stage } from './stage.ts';
import { type State, STATES } from './states.ts';

/** A picture of docs/reference/theming.md: a state of the form with its parts outlined. */
export interface PartPicture {
  /** File name in docs/reference/pictures, without `.png`. */
  readonly name: string;
  readonly parts: readonly string[];
  readonly state: State;
}

function getState(name: string): State {
  return STATES.find((state) => state.name === name)!;
}

/** Pictures that show every part of the form. */
export const PART_PICTURES: readonly PartPicture[] = [
  {
    name: 'parts-form',
    parts: [
      'frequency',
      'amount',
      'project',
      'tribute',
      'fee-cover',
      'donor',
      'payment',
      'consents',
      'notice',
      'button',
    ],
    state: {
      ...getState('plain'),
      formFactory: 'createFormWithEveryPart',
      act: async (stage) => stage.submit(),
      readySelector: '#notice',
    },
  },
  { name: 'parts-wallets', parts: ['wallets'], state: getState('wallets') },
  { name: 'parts-unconfirmed', parts: ['unconfirmed'], state: getState('unconfirmed') },
  { name: 'parts-requires-action', parts: ['requires-action'], state: getState('requires-action') },
  { name: 'parts-thank-you', parts: ['thank-you'], state: getState('thank-you') },
  {
    name: 'parts-debug',
    parts: ['debug'],
    state: {
      ...getState('plain'),
      parts: ['[part=debug]', '[part=debug]'],
      act: async ({ form }: Stage) => {
        await form.evaluate((element) => {
          element.setAttribute('amount', '75');
          element.setAttribute('debug', '');
        });
      },
      readySelector: '[part=debug]',
    },
  },
];
