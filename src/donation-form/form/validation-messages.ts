import { cardNumbersIn } from '../state/card-number-check.ts';
import { problemsOf, type FormProblem } from '../state/validation.ts';
import { fill, type SendingTexts } from '@donation-form/core/i18n';
import type { FormController } from './form-controller.ts';
import type { FieldError } from './view-model.ts';

/** Everything that keeps a form's gift from being sent, in words and in the order of the form. */
export function validationMessages(live: FormController, texts: SendingTexts): FieldError[] {
  const { state, loader: source, context, element } = live;
  const { optionalSections: more } = source!;
  const own = problemsOf(state, context!)
    .filter(({ control }) => !more?.address?.asks(control))
    .map((problem) => ({ control: problem.control, message: wordsFor(problem, live, texts) }));
  const names = [...(element.shadowRoot!.querySelector('form')?.elements ?? [])].map((control) =>
    control.getAttribute('name'),
  );
  const cardNumbers = cardNumbersIn(state, context!)
    .filter((control) => names.includes(control))
    .map((control) => ({ control, message: texts.cardNumber }));
  return [...own, ...(more?.flagsOf(live, texts) ?? []), ...cardNumbers].sort(
    (one, other) => names.indexOf(one.control) - names.indexOf(other.control),
  );
}

function wordsFor(
  { control, code }: FormProblem,
  { context, loader: source, formatMoney }: FormController,
  texts: SendingTexts,
): string {
  const {
    settings: {
      currency: { minimum, maximum, decimals },
    },
    definition: {
      organization: { contact },
    },
  } = context!;
  if (code === 'not-an-amount')
    return fill(texts.notAnAmount, {
      example: decimals === 0 ? '4000' : `40${source!.texts.decimalMark}50`,
    });
  if (code === 'too-small') return fill(texts.tooSmall, { minimum: formatMoney(minimum) });
  if (code === 'too-large') return fill(texts.tooLarge, { maximum: formatMoney(maximum), contact });
  if (code === 'not-an-email') return texts.notAnEmail;
  return control === 'amount' ? texts.amountMissing : texts.missing[control];
}
