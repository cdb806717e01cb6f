import { isSlotted } from '../page/is-slotted.ts';
import { runWhenReleased } from '../page/run-when-released.ts';
import { toArray } from '../page/to-array.ts';

const loadSuggestion = () => import('./email-suggestion.ts');

export function suggestEmailCorrections(root: ShadowRoot, text: string, signal: AbortSignal): void {
  const prepareSuggestion = (target: EventTarget | null): void => {
    if (isEmailField(target, root))
      loadSuggestion().then(
        ({ addSuggestionRegion }) => addSuggestionRegion(target),
        () => undefined,
      );
  };
  prepareSuggestion(root.activeElement);
  root.addEventListener('focusin', ({ target }) => prepareSuggestion(target), { signal });
  root.addEventListener(
    'focusout',
    (event) => {
      const { target, relatedTarget } = event as FocusEvent;
      if (isEmailField(target, root))
        loadSuggestion().then(
          ({ showSuggestion }) =>
            runWhenReleased(root, relatedTarget !== null, () => showSuggestion(target, text)),
          () => undefined,
        );
    },
    { signal },
  );
}

/** Removes all suggestions. Their live regions return when an email field gets the focus. */
export function removeSuggestions(root: ShadowRoot): void {
  for (const region of toArray(root.querySelectorAll('.suggestion'))) region.remove();
}

function isEmailField(target: EventTarget | null, root: ShadowRoot): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === 'email' && !isSlotted(target, root);
}
