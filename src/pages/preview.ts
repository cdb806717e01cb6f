/**
 * The preview of a form, in the frame of the page 'Campaign links'. Nothing is given and nothing counted here:
 * the form's script is loaded only by this one, after it listens.
 */
const note = document.querySelector('#preview-note')!;

document.addEventListener('donation-form-submit', (event) => {
  event.preventDefault();
  note.textContent = 'This is only a preview: your gift was not sent.';
});
document.addEventListener('donation-form-setting-ignored', (event) => event.preventDefault());

void import(/* @vite-ignore */ new URL('../donation-form.js', import.meta.url).href);

export {};
