/** Field name that attracts bots but that autofill ignores. */
const FIELD_NAME = 'website';

/** Styles that hide the field without `display: none`, which bots recognize. */
const HIDDEN_STYLES = {
  position: 'absolute',
  inlineSize: '1px',
  blockSize: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
} as const;

/** For bots that fill in every field. Keyboards, autofill, and assistive technology skip it. */
export function addHoneypot(form: HTMLFormElement | null): void {
  if (!form || findHoneypot(form)) return;
  const container = document.createElement('div');
  const field = document.createElement('input');
  Object.assign(container, { inert: true, ariaHidden: 'true' });
  Object.assign(container.style, HIDDEN_STYLES);
  Object.assign(field, { name: FIELD_NAME, autocomplete: 'off', tabIndex: -1 });
  container.append(field);
  form.prepend(container);
}

/** Clears the field, so that the next attempt succeeds if a browser extension filled it in. */
export function consumeHoneypotValue(form: HTMLFormElement | null): string {
  const field = form && findHoneypot(form);
  const value = field?.value ?? '';
  if (field) field.value = '';
  return value;
}

function findHoneypot(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector(`[name=${FIELD_NAME}]`);
}
