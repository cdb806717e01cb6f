/**
 * Runs a task for which a payment provider opens a frame on the page. Until the task ends, makes a
 * modal dialog around the form non-modal, because it would cover the frame. Does not reopen a
 * dialog that was closed during the task.
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

/** Reopens a dialog. Hides the `close` event from the page, which may remove a closed dialog. */
function reopenDialog(dialog: HTMLDialogElement, open: () => void): void {
  window.addEventListener('close', (event) => event.stopImmediatePropagation(), {
    capture: true,
    once: true,
  });
  dialog.close();
  open();
}
