/** Switches the language of the page and the form. The form keeps what the donor has entered. */
const form = document.querySelector('donation-form');
const select = document.getElementById('language');
const elements = [...document.querySelectorAll('[data-text]')];
const englishTexts = Object.fromEntries(
  elements.map(({ dataset, textContent }) => [dataset.text, textContent]),
);

// On a phone, the open list would push the form out of view.
document.querySelector('.keys').open = matchMedia('(min-width: 60rem)').matches;

select.addEventListener('change', async () => {
  const language = select.value;
  const texts = language.startsWith('en')
    ? englishTexts
    : await (await fetch(`texts/${language}.json`)).json();
  // The donor may have chosen another language in the meantime.
  if (select.value !== language) return;
  const dir = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
  Object.assign(document.documentElement, { lang: language, dir });
  for (const element of elements) element.textContent = texts[element.dataset.text];
  form.language = language;
});
