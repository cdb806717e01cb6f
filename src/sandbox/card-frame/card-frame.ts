/**
 * The inside of the card frame. It speaks with the page that embeds it by messages only:
 *   page → frame { type: 'open', publicKey, language, methods } once; fixes the page's origin for
 *   good; what `words` does not have is English;
 *                                                                  methods are those of `card` and
 *                                                                  `bank` that the page takes,
 *                                                                  without them a card
 *                 { type: 'look', look } now, and whenever the page's look changes
 *                 { type: 'tokenize', id }
 *                 { type: 'focus' }
 *   frame → page  { type: 'ready' }, { type: 'size', height }, { type: 'submit' }
 *                 { type: 'token', id, token, method }, { type: 'incomplete', id }, { type:
 *                 'failed', id }
 */
import { digitsOf, FIELDS, problemOf, type FieldName, type Way } from './checks.ts';
import { frameLanguage, words, type Words } from './words.ts';

interface Look {
  readonly dark: boolean;
  readonly direction: 'ltr' | 'rtl';
  readonly variables: Readonly<Record<string, string>>;
}
type FromPage =
  | { type: 'open'; publicKey: string; language?: string; methods?: readonly string[] }
  | { type: 'look'; look: Look }
  | { type: 'tokenize'; id: string }
  | { type: 'focus' };

const form = document.querySelector('form')!;
const input = (name: FieldName): HTMLInputElement => form.querySelector(`#${name}`)!;
const fieldsOf = (way: Way): readonly FieldName[] => FIELDS[way];

let page: string | undefined;
let publicKey = '';
let said: Words = words.en;
let way: Way = 'card';

const WAYS = Object.keys(FIELDS) as Way[];

const tell = (message: object): void => {
  if (page !== undefined) parent.postMessage(message, page);
};

/** Browsers watch no sizes in a frame that is out of sight. */
const tellSize = (): void => tell({ type: 'size', height: form.getBoundingClientRect().height });

addEventListener('message', ({ source, origin, data }: MessageEvent<FromPage>) => {
  if (source !== parent || (page !== undefined && origin !== page)) return;
  if (data.type === 'open' && page === undefined) {
    page = origin;
    publicKey = data.publicKey;
    const offered = WAYS.filter((one) => data.methods?.includes(one));
    speak(data.language, offered.length > 1);
    form.querySelector('fieldset')!.hidden = offered.length < 2;
    choose(offered[0] ?? 'card');
    new ResizeObserver(tellSize).observe(form);
    tell({ type: 'ready' });
  }
  if (data.type === 'look') {
    wear(data.look);
    tellSize();
  }
  if (data.type === 'tokenize') void tokenize(data.id);
  if (data.type === 'focus')
    (
      fieldsOf(way)
        .map(input)
        .find(({ ariaInvalid }) => ariaInvalid === 'true') ?? input(fieldsOf(way)[0]!)
    ).focus();
});

function speak(asked: string | undefined, hasChoice: boolean): void {
  const language = frameLanguage(asked);
  said = words[language];
  document.documentElement.lang = language;
  document.title = hasChoice ? said.ways : said.title;
  form.querySelector('legend')!.textContent = said.ways;
  for (const one of WAYS) {
    form.querySelector(`label[for=way-${one}]`)!.textContent = said[one];
    // The space keeps a label's words apart from what follows in it.
    for (const name of fieldsOf(one))
      form.querySelector(`label[for=${name}]`)!.firstChild!.nodeValue = `${said[name]} `;
  }
  form.querySelector('label[for=expiry] span')!.textContent = said.expiryForm;
}

function choose(chosen: Way): void {
  way = chosen;
  for (const one of WAYS) form.querySelector<HTMLElement>(`#${one}`)!.hidden = one !== way;
  form.querySelector<HTMLInputElement>(`#way-${way}`)!.checked = true;
  tellSize();
}

function wear({ dark, direction, variables }: Look): void {
  const { style } = document.documentElement;
  style.colorScheme = dark ? 'dark' : 'light';
  document.documentElement.dir = direction;
  for (const [name, value] of Object.entries(variables)) style.setProperty(`--${name}`, value);
}

function check(name: FieldName): boolean {
  const problem = problemOf(name, input(name).value);
  const message = form.querySelector<HTMLElement>(`#${name}-error`)!;
  message.textContent = problem === undefined ? '' : said[problem];
  message.hidden = problem === undefined;
  input(name).ariaInvalid = String(problem !== undefined);
  return problem === undefined;
}

async function tokenize(id: string): Promise<void> {
  const method = way;
  const names = fieldsOf(method);
  if (names.map(check).includes(false)) return tell({ type: 'incomplete', id });
  try {
    const response = await fetch('tokens', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        publicKey,
        ...Object.fromEntries(names.map((name) => [name, digitsOf(input(name).value)])),
      }),
    });
    const { token } = (await response.json()) as { token?: string };
    tell(token === undefined ? { type: 'failed', id } : { type: 'token', id, token, method });
  } catch {
    tell({ type: 'failed', id });
  }
}

function group(text: string, name: FieldName): string {
  const digits = digitsOf(text);
  if (name === 'number') return digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 ');
  if (name === 'expiry')
    return digits.length > 2
      ? `${digits.slice(0, 2)} / ${digits.slice(2, 6)}`
      : text.replace(/[^\d /]/g, '');
  return digits;
}

form.addEventListener('input', ({ target }) => {
  const field = target as HTMLInputElement;
  const name = field.name as FieldName | 'way';
  if (name === 'way') return choose(field.value as Way);
  if (field.selectionStart === field.value.length) field.value = group(field.value, name);
  if (field.ariaInvalid === 'true') check(name);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  tell({ type: 'submit' });
});
