/** A name that programs like to fill and that no browser's autofill has a value for. */
const NAME = 'website';

/** How it is hidden: not as `display: none`, which programs look for. */
const HIDDEN = {
  position: 'absolute',
  inlineSize: '1px',
  blockSize: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;

/**
 * Puts a field into the form that no person meets: inert, so neither keyboard, autofill nor
 * assistive technology gets there. Programs that fill in every field fill it, too.
 */
export function addHoneypot(form: HTMLFormElement | null): void {
  if (!form || trapIn(form)) return;
  const place = document.createElement('div');
  const field = document.createElement('input');
  Object.assign(place, { inert: true, ariaHidden: 'true' });
  Object.assign(place.style, HIDDEN);
  Object.assign(field, { name: NAME, autocomplete: 'off', tabIndex: -1 });
  place.append(field);
  form.prepend(place);
}

/**
 * What was caught, and sets the trap anew: should a browser's extension have filled it, the donor's
 * next try passes.
 */
export function takeHoneypotValue(form: HTMLFormElement | null): string {
  const field = form && trapIn(form);
  const caught = field?.value ?? '';
  if (field) field.value = '';
  return caught;
}

function trapIn(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector(`[name=${NAME}]`);
}
