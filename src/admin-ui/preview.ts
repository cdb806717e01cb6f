/**
 * Entry script of the preview frame on the campaign links page. Loads the form, and prevents it from
 * submitting donations or reporting ignored settings. The form builder's preview runs this script
 * too.
 */
const note = document.querySelector('#preview-note')!;
document.addEventListener('donation-form-submit', (event) => {
  event.preventDefault();
  note.textContent = 'This is only a preview. No donation was made.';
});
document.addEventListener('donation-form-setting-ignored', (event) => event.preventDefault());
import(/* @vite-ignore */ new URL('../donation-form.js', import.meta.url).href).catch(
  (error: unknown) => {
    console.error(error);
    note.textContent = 'Cannot load the form. Reload the page.';
  },
);
