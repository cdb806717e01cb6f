/** Shows authors the note beside a form that does not load. */
(() => {
  const showNote = (form) => {
    form.parentElement
      .querySelectorAll(':scope > [role="note"]')
      .forEach((note) => note.removeAttribute('hidden'));
  };
  document.addEventListener('donation-form-error', ({ target, code }) => {
    if (code === 'form-unavailable') showNote(target);
  });
  window.addEventListener('load', () =>
    document.querySelectorAll('donation-form:not(:defined)').forEach(showNote),
  );
})();
