/**
 * Runs a task in which a payment provider opens a frame on the page. If the form is in a modal
 * dialog, makes the dialog non-modal during the task, because a modal dialog would cover the frame.
 * If the dialog closes during the task, it remains closed.
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

/**
 * Reopens a dialog. Hides the `close` event from the page, because the page might remove a closed
 * dialog.
 */
function reopenDialog(dialog: HTMLDialogElement, open: () => void): void {
  window.addEventListener('close', (event) => event.stopImmediatePropagation(), {
    capture: true,
    once: true,
  });
  dialog.close();
  open();
}
