/**
 * The inside of the card frame. It speaks with the page that embeds it by messages only:
 *   page → frame  { type: 'open', publicKey, language }   once; fixes the page's origin for good; what `words` does not have is English
 *                 { type: 'look', look }                  now, and whenever the page's look changes
 *                 { type: 'tokenize', id }
 *                 { type: 'focus' }
 *   frame → page  { type: 'ready' }, { type: 'size', height }, { type: 'submit' }
 *                 { type: 'token', id, token }, { type: 'incomplete', id }, { type: 'failed', id }
 */
import { frameLanguage, words, type Words } from './words.ts';

interface Look {
  readonly dark: boolean;
  readonly direction: 'ltr' | 'rtl';
  readonly variables: Readonly<Record<string, string>>;
}
type FromPage = { type: 'open'; publicKey: string; language?: string } | { type: 'look'; look: Look } | { type: 'tokenize'; id: string } | { type: 'focus' };

const form = document.querySelector('form')!;
const names = ['number', 'expiry', 'cvc'] as const;
type Name = (typeof names)[number];
const input = (name: Name): HTMLInputElement => form.querySelector(`#${name}`)!;

let page: string | undefined, publicKey = '', said: Words = words.en;

const tell = (message: object): void => { if (page !== undefined) parent.postMessage(message, page); };

/** Browsers watch no sizes in a frame that is out of sight. */
const tellSize = (): void => tell({ type: 'size', height: form.getBoundingClientRect().height });

addEventListener('message', ({ source, origin, data }: MessageEvent<FromPage>) => {
  if (source !== parent || (page !== undefined && origin !== page)) return;
  if (data.type === 'open' && page === undefined) {
    page = origin;
    publicKey = data.publicKey;
    speak(data.language);
    new ResizeObserver(tellSize).observe(form);
    tell({ type: 'ready' });
  }
  if (data.type === 'look') {
    wear(data.look);
    tellSize();
  }
  if (data.type === 'tokenize') void tokenize(data.id);
  if (data.type === 'focus') (names.map(input).find(({ ariaInvalid }) => ariaInvalid === 'true') ?? input('number')).focus();
});

function speak(asked: string | undefined): void {
  const language = frameLanguage(asked);
  said = words[language];
  document.documentElement.lang = language;
  document.title = said.title;
  // The space keeps a label's words apart from what follows in it.
  for (const name of names) form.querySelector(`label[for=${name}]`)!.firstChild!.nodeValue = `${said[name]} `;
  form.querySelector('label[for=expiry] span')!.textContent = said.expiryForm;
}

function wear({ dark, direction, variables }: Look): void {
  const { style } = document.documentElement;
  style.colorScheme = dark ? 'dark' : 'light';
  document.documentElement.dir = direction;
  for (const [name, value] of Object.entries(variables)) style.setProperty(`--${name}`, value);
}

const digitsOf = (name: Name): string => input(name).value.replace(/\D/g, '');

function problemOf(name: Name): string | undefined {
  const digits = digitsOf(name);
  if (name === 'number') return digits.length < 12 || !passesLuhn(digits) ? said.badNumber : undefined;
  if (name === 'cvc') return /^\d{3,4}$/.test(digits) ? undefined : said.badCvc;
  const [month, year] = [Number(digits.slice(0, 2)), Number(digits.slice(-2))];
  if (!/^\d{4}$|^\d{6}$/.test(digits) || month < 1 || month > 12) return said.badExpiry;
  const end = new Date(2000 + year, month);
  return end <= new Date() ? said.expired : undefined;
}

function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits).reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function show(name: Name, problem: string | undefined): void {
  const message = form.querySelector<HTMLElement>(`#${name}-error`)!;
  message.textContent = problem ?? '';
  message.hidden = problem === undefined;
  input(name).ariaInvalid = String(problem !== undefined);
}

async function tokenize(id: string): Promise<void> {
  const problems = names.map((name) => ({ name, problem: problemOf(name) }));
  for (const { name, problem } of problems) show(name, problem);
  if (problems.some(({ problem }) => problem !== undefined)) return tell({ type: 'incomplete', id });
  try {
    const response = await fetch('tokens', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ publicKey, number: digitsOf('number'), expiry: digitsOf('expiry'), cvc: digitsOf('cvc') }),
    });
    const { token } = await response.json() as { token?: string };
    tell(token === undefined ? { type: 'failed', id } : { type: 'token', id, token });
  } catch {
    tell({ type: 'failed', id });
  }
}

function group(text: string, name: Name): string {
  const digits = text.replace(/\D/g, '');
  if (name === 'number') return digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, '$1 ');
  if (name === 'expiry') return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2, 6)}` : text.replace(/[^\d /]/g, '');
  return digits;
}

form.addEventListener('input', ({ target }) => {
  const field = target as HTMLInputElement, name = field.name as Name;
  if (field.selectionStart === field.value.length) field.value = group(field.value, name);
  if (field.ariaInvalid === 'true') show(name, problemOf(name));
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  tell({ type: 'submit' });
});
