/** Switches the form's language. The form keeps what the donor has entered. */
const form = document.querySelector('donation-form');
document.getElementById('language').addEventListener('change', ({ target }) => {
  form.language = target.value;
});
