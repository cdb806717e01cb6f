import { isSlotted } from '../page/is-slotted.ts';
import { toArray } from '../page/to-array.ts';
import type { SelectedPayment } from './selected-payment.ts';

const FIELDS = 'input:not([type=radio], [type=checkbox]), select, textarea';

/** Donors on phones expect Enter to move to the next field, and to submit only in the last. */
export function moveFocusOnEnter(
  root: ShadowRoot,
  payment: Pick<SelectedPayment, 'hasField' | 'focusField'>,
  signal: AbortSignal,
): void {
  root.addEventListener(
    'keydown',
    (event) => {
      const { key, isComposing, defaultPrevented, target } = event as KeyboardEvent;
      // oxlint-disable-next-line typescript/no-deprecated -- Safari's only mark of an Enter that ends a composition
      const isInputMethod = isComposing || (event as KeyboardEvent).keyCode === 229;
      if (key !== 'Enter' || isInputMethod || defaultPrevented || !isFormInput(target, root))
        return;
      const next = findNextField(target);
      if (next) next.focus();
      else if (payment.hasField) void payment.focusField();
      else return;
      event.preventDefault();
    },
    { signal },
  );
  // Sets the label of the Enter key on phone keyboards.
  root.addEventListener(
    'focusin',
    ({ target }) => {
      if (!isFormInput(target, root) || !target.matches(FIELDS) || target.type === 'search') return;
      target.enterKeyHint = findNextField(target) || payment.hasField ? 'next' : 'go';
    },
    { signal },
  );
}

function isFormInput(target: EventTarget | null, root: ShadowRoot): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.form !== null && !isSlotted(target, root);
}

function findNextField(input: HTMLInputElement): HTMLElement | undefined {
  return toArray(input.form!.querySelectorAll<HTMLElement>(FIELDS)).find(
    (field) =>
      input.compareDocumentPosition(field) & input.DOCUMENT_POSITION_FOLLOWING &&
      field.tabIndex >= 0 &&
      field.getClientRects().length > 0,
  );
}

/** Matches keys that the page handles even while the donor is in a control. */
const PAGE_KEYS = /^(Tab|Escape|F\d+)$/;

/**
 * The page's shortcuts, such as those of sliders, would swallow keys: outside, they do not appear
 * to come from a control.
 */
export function containKeys(root: ShadowRoot, signal: AbortSignal): void {
  const stopKey = (event: Event): void => {
    const { key, ctrlKey, altKey, metaKey, target } = event as KeyboardEvent;
    // AltGr, which types characters such as @, sets both.
    const isShortcut = metaKey || (ctrlKey && !altKey) || PAGE_KEYS.test(key);
    const isInControl = (target as Element).matches('input, select, textarea, button');
    if (isInControl && !isShortcut && !isSlotted(target, root)) event.stopPropagation();
  };
  for (const type of ['keydown', 'keypress', 'keyup'])
    root.addEventListener(type, stopKey, { signal });
}
