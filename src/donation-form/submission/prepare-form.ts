import { lateStyles } from '../form/late-styles.ts';
import { isSlotted } from '../page/is-slotted.ts';
import { runWhenIdle } from '../page/on-idle.ts';
import { syncColorScheme } from '../page/sync-color-scheme.ts';
import { removeCopiedHosts } from '../payment-fields/field-host.ts';
import { renderSummary } from '../sections/summary.ts';
import { validateOnBlur } from './field-validator.ts';
import { focusCustomAmount } from './form-focus.ts';
import { keepChosenMethodInPlace } from './keep-in-place.ts';
import { containKeys, moveFocusOnEnter } from './keyboard.ts';
import { getEntryTexts } from './submission-context.ts';
import type { SubmissionParts } from './submission-parts.ts';

/** Adds what a form needs after its first paint: styles, formats, and reactions to the donor. */
export function prepareForm({ form, payment, loadNextSteps }: SubmissionParts): void {
  const { element } = form;
  const session = form.session!;
  const { signal } = session;
  const texts = getEntryTexts(form);
  const root = element.shadowRoot!;
  removeCopiedHosts(element);
  form.adoptStyles(lateStyles);
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
  keepChosenMethodInPlace(root, signal);
  containKeys(root, signal);
  moveFocusOnEnter(root, payment, signal);
  // The payment field's files need the network first.
  runWhenIdle(async () => {
    await payment.waitForField();
    await loadNextSteps().catch(() => undefined);
  });
}
