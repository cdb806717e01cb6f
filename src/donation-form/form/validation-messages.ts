import { cardNumbersIn } from '../state/card-number-check.ts';
import { problemsOf, type FormProblem } from '../state/validation.ts';
import { fill, type SendingTexts } from '@donation-form/core/i18n';
import type { LiveForm } from './form-controller.ts';
import type { Flag } from './view-model.ts';

/** Everything that keeps a form's gift from being sent, in words and in the order of the form. */
export function flagsOf(live: LiveForm, texts: SendingTexts): Flag[] {
  const { state, source, offer, element } = live;
  const { more } = source!;
  const own = problemsOf(state, offer!)
    .filter(({ control }) => !more?.address?.asks(control))
    .map((problem) => ({ control: problem.control, message: wordsFor(problem, live, texts) }));
  const names = [...(element.shadowRoot!.querySelector('form')?.elements ?? [])].map((control) =>
    control.getAttribute('name'),
  );
  const cardNumbers = cardNumbersIn(state, offer!)
    .filter((control) => names.includes(control))
    .map((control) => ({ control, message: texts.cardNumber }));
  return [...own, ...(more?.flagsOf(live, texts) ?? []), ...cardNumbers].sort(
    (one, other) => names.indexOf(one.control) - names.indexOf(other.control),
  );
}

function wordsFor(
  { control, code }: FormProblem,
  { offer, source, money }: LiveForm,
  texts: SendingTexts,
): string {
  const {
    settings: {
      currency: { minimum, maximum, decimals },
    },
    definition: {
      organization: { contact },
    },
  } = offer!;
  if (code === 'not-an-amount')
    return fill(texts.notAnAmount, {
      example: decimals === 0 ? '4000' : `40${source!.texts.decimalMark}50`,
    });
  if (code === 'too-small') return fill(texts.tooSmall, { minimum: money(minimum) });
  if (code === 'too-large') return fill(texts.tooLarge, { maximum: money(maximum), contact });
  if (code === 'not-an-email') return texts.notAnEmail;
  return control === 'amount' ? texts.amountMissing : texts.missing[control];
}
