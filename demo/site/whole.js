/** The form speaks the language that is chosen above it; what was typed stays. */
const form = document.querySelector('donation-form');
document.getElementById('language').addEventListener('change', ({ target }) => {
  form.language = target.value;
});
