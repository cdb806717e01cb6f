import { getTextDirection } from '@donation-form/core/i18n';
import { createMoneyFormatter, removeCurrencySigns } from '@donation-form/core/money';
import { readUrlAndLanding } from '@donation-form/core/settings';
import { warnAboutMistakes } from '../debug/find-mistakes.ts';
import { lateStyles } from '../form/late-styles.ts';
import { isSlotted } from '../page/is-slotted.ts';
import { runWhenIdle } from '../page/on-idle.ts';
import { setUrlReader } from '../page/page-context.ts';
import { syncColorScheme } from '../page/sync-color-scheme.ts';
import { removeCopiedHosts } from '../payment-fields/field-host.ts';
import { animateSegmentedControls } from '../sections/slide-selection.ts';
import { renderSummary } from '../sections/summary.ts';
import { suggestEmailCorrections } from './email-suggestions.ts';
import { validateOnBlur } from './field-validator.ts';
import { focusCustomAmount } from './form-focus.ts';
import { containKeys, moveFocusOnEnter } from './keyboard.ts';
import { loadResultScreens } from './show-result.ts';
import { getSubmissionTexts } from './submission-context.ts';
import type { SubmissionParts } from './submission-parts.ts';

/** Adds what a form needs after its first paint: styles, formats, and reactions to the donor. */
export function prepareForm({ form, payment }: SubmissionParts): void {
  const { element, context } = form;
  const session = form.session!;
  const { signal, language } = session;
  const texts = getSubmissionTexts(form);
  const root = element.shadowRoot!;
  removeCopiedHosts(element);
  form.adoptStyles(lateStyles);
  session.removeCurrencySigns = removeCurrencySigns;
  setUrlReader(readUrlAndLanding);
  form.context = { ...context!, removeCurrencySigns };
  form.renderSummary = (view) => renderSummary(view, texts);
  root.addEventListener(
    'focusout',
    (event) => {
      const { target, relatedTarget } = event as FocusEvent;
      if (!isSlotted(target, root))
        validateOnBlur(form, target as HTMLInputElement, relatedTarget !== null);
    },
    { signal },
  );
  root.addEventListener('click', (event) => focusCustomAmount(form, event as MouseEvent), {
    signal,
  });
  syncColorScheme(root.querySelector('.root')!, signal);
  animateSegmentedControls(root, signal);
  containKeys(root, signal);
  moveFocusOnEnter(root, payment, signal);
  suggestEmailCorrections(root, texts.emailSuggestion, signal);
  runWhenIdle(() => {
    warnAboutMistakes(element);
    loadResultScreens(form).catch(() => undefined);
    if (!signal.aborted)
      void form.update({ writeMoney: createMoneyFormatter(language, getTextDirection(language)) });
  });
}
