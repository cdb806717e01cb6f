import { getTextDirection } from '@donation-form/core/i18n';
import { createMoneyFormatter, removeCurrencySigns } from '@donation-form/core/money';
import { readUrlAndLanding } from '@donation-form/core/settings';
import { warnAboutMistakes } from '../debug/find-mistakes.ts';
import { lastStyles } from '../form/last-styles.ts';
import { illustrations, illustrationStyles } from '../illustrations/illustrations.ts';
import { setUrlReader } from '../page/page-context.ts';
import { animateSegmentedControls } from '../sections/slide-selection.ts';
import { thankYouStyles } from '../thank-you/styles.ts';
import { suggestEmailCorrections } from './email-suggestions.ts';
import { addHoneypot } from './honeypot.ts';
import { RequiredAction } from './required-action.ts';
import { getEntryTexts } from './submission-context.ts';
import type { SubmissionParts } from './submission-parts.ts';

/** Adds what a form needs last: drawings, exact formats, motion, and warnings. */
export function completeForm(parts: SubmissionParts): void {
  const { form, signal } = parts;
  parts.action = new RequiredAction(parts, parts.payment, parts.hasReturnedCanceled);
  setUrlReader(readUrlAndLanding);
  form.adoptStyles(lastStyles);
  form.adoptStyles(thankYouStyles);
  form.adoptStyles(illustrationStyles);
  warnAboutMistakes(form.element);
  if (signal.aborted) return;
  const root = form.element.shadowRoot!;
  animateSegmentedControls(root, signal);
  suggestEmailCorrections(root, getEntryTexts(form).emailSuggestion, signal);
  addHoneypot(root.querySelector('form'));
  const session = form.session!;
  session.removeCurrencySigns = removeCurrencySigns;
  const { language } = session;
  void form.update({
    context: { ...form.context!, removeCurrencySigns },
    illustrations,
    writeMoney: createMoneyFormatter(language, getTextDirection(language)),
  });
}
