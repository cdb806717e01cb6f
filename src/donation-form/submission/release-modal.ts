/**
 * Does what a payment provider opens a frame of its own on the page for. A modal dialog around the
 * form would lie over that frame and keep it from being used, so it is not modal meanwhile.
 * A dialog that is closed meanwhile stays closed.
 */
export async function withoutModal(form: HTMLElement, work: () => Promise<void>): Promise<void> {
  const dialog = form.closest('dialog');
  if (!dialog?.matches(':modal')) return work();
  reopen(dialog, () => dialog.show());
  try {
    await work();
  } finally {
    if (dialog.open && dialog.isConnected) reopen(dialog, () => dialog.showModal());
  }
}

/** The page hears of no end of its dialog: some take a closed one away. */
function reopen(dialog: HTMLDialogElement, open: () => void): void {
  window.addEventListener('close', (event) => event.stopImmediatePropagation(), {
    capture: true,
    once: true,
  });
  dialog.close();
  open();
}
