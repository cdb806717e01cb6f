/**
 * Script of the card frame. It communicates with the embedding page by messages only:
 *   page → frame  { type: 'open', publicKey, language, methods }
 *                   once; fixes the page's origin. An unknown language becomes English. `methods`
 *                   lists `card`, `bank`, or both; the default is `card`.
 *                 { type: 'appearance', appearance }
 *                   at first, and after every change
 *                 { type: 'tokenize', id }
 *                 { type: 'focus' }
 *   frame → page  { type: 'ready' }, { type: 'size', height }, { type: 'submit' }
 *                 { type: 'method', method }
 *                   at first, and when the donor selects another method
 *                 { type: 'token', id, token, method }
 *                 { type: 'incomplete', id }, { type: 'failed', id }
 */
import { extractDigits, FIELDS, validateField, type FieldName, type Method } from './validation.ts';
import { resolveLanguage, translations, type Messages } from './translations.ts';

interface Appearance {
  readonly dark: boolean;
  readonly direction: 'ltr' | 'rtl';
  readonly variables: Readonly<Record<string, string>>;
}
type PageMessage =
  | { type: 'open'; publicKey: string; language?: string; methods?: readonly string[] }
  | { type: 'appearance'; appearance: Appearance }
  | { type: 'tokenize'; id: string }
  | { type: 'focus' };

const form = document.querySelector('form')!;
const getInput = (name: FieldName): HTMLInputElement => form.querySelector(`#${name}`)!;
const getFieldNames = (method: Method): readonly FieldName[] => FIELDS[method];

let pageOrigin: string | undefined;
let publicKey = '';
let messages: Messages = translations.en;
let method: Method = 'card';

const METHODS = Object.keys(FIELDS) as Method[];

const postToPage = (message: object): void => {
  if (pageOrigin !== undefined) parent.postMessage(message, pageOrigin);
};

/** Browsers do not observe the sizes of hidden frames. */
const postSize = (): void =>
  postToPage({ type: 'size', height: form.getBoundingClientRect().height });

addEventListener('message', ({ source, origin, data }: MessageEvent<PageMessage>) => {
  if (source !== parent || (pageOrigin !== undefined && origin !== pageOrigin)) return;
  if (data.type === 'open' && pageOrigin === undefined) {
    pageOrigin = origin;
    publicKey = data.publicKey;
    const methods = METHODS.filter((candidate) => data.methods?.includes(candidate));
    applyLanguage(data.language, methods.length > 1);
    form.querySelector('fieldset')!.hidden = methods.length < 2;
    selectMethod(methods[0] ?? 'card');
    new ResizeObserver(postSize).observe(form);
    postToPage({ type: 'ready' });
  }
  if (data.type === 'appearance') {
    applyAppearance(data.appearance);
    postSize();
  }
  if (data.type === 'tokenize') void tokenize(data.id);
  if (data.type === 'focus')
    (
      getFieldNames(method)
        .map(getInput)
        .find(({ ariaInvalid }) => ariaInvalid === 'true') ?? getInput(getFieldNames(method)[0]!)
    ).focus();
});

function applyLanguage(requested: string | undefined, hasChoice: boolean): void {
  const language = resolveLanguage(requested);
  messages = translations[language];
  document.documentElement.lang = language;
  document.title = hasChoice ? messages.method : messages.title;
  form.querySelector('legend')!.textContent = messages.method;
  for (const candidate of METHODS) {
    form.querySelector(`label[for=method-${candidate}]`)!.textContent = messages[candidate];
    // The space separates the label text from the element that follows it.
    for (const name of getFieldNames(candidate))
      form.querySelector(`label[for=${name}]`)!.firstChild!.nodeValue = `${messages[name]} `;
  }
  form.querySelector('label[for=expiry] span')!.textContent = messages.expiryFormat;
}

function selectMethod(selected: Method): void {
  method = selected;
  for (const candidate of METHODS)
    form.querySelector<HTMLElement>(`#${candidate}`)!.hidden = candidate !== method;
  form.querySelector<HTMLInputElement>(`#method-${method}`)!.checked = true;
  postToPage({ type: 'method', method });
  postSize();
}

function applyAppearance({ dark, direction, variables }: Appearance): void {
  const { style } = document.documentElement;
  style.colorScheme = dark ? 'dark' : 'light';
  document.documentElement.dir = direction;
  for (const [name, value] of Object.entries(variables)) style.setProperty(`--${name}`, value);
}

function validateAndShowError(name: FieldName): boolean {
  const error = validateField(name, getInput(name).value);
  const errorElement = form.querySelector<HTMLElement>(`#${name}-error`)!;
  errorElement.textContent = error === undefined ? '' : messages[error];
  errorElement.hidden = error === undefined;
  getInput(name).ariaInvalid = String(error !== undefined);
  return error === undefined;
}

async function tokenize(id: string): Promise<void> {
  const submittedMethod = method;
  const names = getFieldNames(submittedMethod);
  if (names.map(validateAndShowError).includes(false))
    return postToPage({ type: 'incomplete', id });
  try {
    const response = await fetch('tokens', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        publicKey,
        ...Object.fromEntries(names.map((name) => [name, extractDigits(getInput(name).value)])),
      }),
    });
    const { token } = (await response.json()) as { token?: string };
    postToPage(
      token === undefined
        ? { type: 'failed', id }
        : { type: 'token', id, token, method: submittedMethod },
    );
  } catch {
    postToPage({ type: 'failed', id });
  }
}

function groupDigits(text: string, name: FieldName): string {
  const digits = extractDigits(text);
  if (name === 'number') return digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 ');
  if (name === 'expiry')
    return digits.length > 2
      ? `${digits.slice(0, 2)} / ${digits.slice(2, 6)}`
      : text.replace(/[^\d /]/g, '');
  return digits;
}

form.addEventListener('input', ({ target }) => {
  const field = target as HTMLInputElement;
  const name = field.name as FieldName | 'method';
  if (name === 'method') return selectMethod(field.value as Method);
  if (field.selectionStart === field.value.length) field.value = groupDigits(field.value, name);
  if (field.ariaInvalid === 'true') validateAndShowError(name);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  postToPage({ type: 'submit' });
});
