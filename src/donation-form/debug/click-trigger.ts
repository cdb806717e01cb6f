import { toArray } from '../page/to-array.ts';

const DONATION_TEXT = /donat|\bgive\b|giving|gift|support|contribut|spende|don\b|doner|donar/i;
/** Selector for controls that may reveal a hidden part of the page. */
export const CONTROLS =
  'button, [role=button], [role=tab], summary, label[for], a[href^="#"], a:not([href]), [onclick]';

/** Clicks the control with this index, those about donations first, unless it leaves the page. */
export function clickTrigger(index: number): boolean {
  const controls = toArray(document.querySelectorAll<HTMLElement>(CONTROLS)).filter(isHarmless);
  const isLikely = (control: HTMLElement): boolean =>
    DONATION_TEXT.test(`${control.textContent} ${control.getAttribute('aria-label') ?? ''}`);
  const control = [...controls.filter(isLikely), ...controls.filter((other) => !isLikely(other))][
    index
  ];
  control?.click();
  return control !== undefined;
}

function isHarmless(control: HTMLElement): boolean {
  const link = control.closest('a');
  if (link && !/^(?:#|$)/.test(link.getAttribute('href') ?? '')) return false;
  if (control.closest('donation-form')) return false;
  const button = control.closest('button');
  return !button?.form || button.type === 'button';
}
