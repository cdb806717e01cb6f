/** Switches the language of the page and the form. The form keeps what the donor has entered. */
import { TEXTS } from './full-form-texts.js';

const form = document.querySelector('donation-form');
const elements = [...document.querySelectorAll('[data-text]')];
const englishTexts = new Map(elements.map((element) => [element, element.textContent]));

// On a phone, the open list would push the form out of view.
document.querySelector('.keys').open = matchMedia('(min-width: 60rem)').matches;

document.getElementById('language').addEventListener('change', ({ target: { value } }) => {
  const texts = TEXTS[value];
  Object.assign(document.documentElement, { lang: value, dir: value === 'ar' ? 'rtl' : 'ltr' });
  for (const element of elements)
    element.textContent = texts?.[element.dataset.text] ?? englishTexts.get(element);
  form.language = value;
});
