import { isSlotted } from '../page/is-slotted.ts';

/** Matches keys that the page handles even while the donor is in a control. */
const PAGE_KEYS = /^(Tab|Escape|F\d+)$/;

/**
 * Hides keys in controls from the page, where they do not appear to come from a control, so
 * shortcuts such as those of sliders would swallow them.
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
