/**
 * Runs a task in which a payment provider opens a frame, which a modal dialog around the form would
 * cover. If the dialog closes during the task, it remains closed.
 */
export async function runWithoutModal(form: HTMLElement, task: () => Promise<void>): Promise<void> {
  const dialog = form.closest('dialog');
  if (!dialog?.matches(':modal')) return task();
  reopenDialog(dialog, () => dialog.show());
  try {
    await task();
  } finally {
    if (dialog.open && dialog.isConnected) reopenDialog(dialog, () => dialog.showModal());
  }
}

/** Hides the `close` event from the page, which might remove a closed dialog. */
function reopenDialog(dialog: HTMLDialogElement, open: () => void): void {
  window.addEventListener('close', (event) => event.stopImmediatePropagation(), {
    capture: true,
    once: true,
  });
  dialog.close();
  open();
}
