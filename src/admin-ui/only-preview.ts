/** Sees to it that nothing is given and nothing counted on a page, then loads the form's script. */
export function onlyPreview(): void {
  const note = document.querySelector('#preview-note')!;
  document.addEventListener('donation-form-submit', (event) => {
    event.preventDefault();
    note.textContent = 'This is only a preview: your gift was not sent.';
  });
  document.addEventListener('donation-form-setting-ignored', (event) => event.preventDefault());
  void import(/* @vite-ignore */ new URL('../donation-form.js', import.meta.url).href);
}
