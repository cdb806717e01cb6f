import { getTextDirection, type Language } from '@donation-form/core/i18n';
import { tryStorage } from '../page/session-storage.ts';
import { CLOSE_TEXTS } from './close-texts.ts';

/** Marks the history entry of an open dialog, which Back leaves. Its value is the page's state. */
const ENTRY_KEY = 'donationFormDialog';

const isEntry = (state: unknown): state is { readonly [ENTRY_KEY]: unknown } =>
  typeof state === 'object' && state !== null && ENTRY_KEY in state;

/**
 * State of the page's own history entry, which has none while the dialog's entry follows it, so that
 * Back makes no router render the page again.
 */
let pageState: unknown;

/** True until `popstate` reports that the browser has left the entry of a closed dialog. */
let isLeavingEntry = false;

/** The open dialogs, which share an entry. Back closes the last one. */
const openClosers = new Set<DialogCloser>();

const restorePageState = ({ state }: PopStateEvent): void => {
  if (state === null) tryStorage(() => history.replaceState(pageState, ''));
};

/** After a reload of an open dialog's page, the next Back leads to the page's own entry. */
export function prepareHistory(): void {
  const { state } = history as { state: unknown };
  if (!isEntry(state)) return;
  pageState = state[ENTRY_KEY];
  addEventListener('popstate', restorePageState, { once: true });
}

/**
 * Closes a dialog with its button, Escape, Back, or a press outside. Asks first if the donor has
 * typed something, although the dialog keeps it.
 */
export class DialogCloser {
  readonly #dialog: HTMLDialogElement;
  readonly #question: HTMLDialogElement;
  #hasTyped = false;

  constructor(dialog: HTMLDialogElement, closeButton: HTMLElement, language: Language) {
    this.#dialog = dialog;
    this.#question = createQuestion(language, () => this.close());
    dialog.append(this.#question);
    closeButton.addEventListener('click', this.#requestClose);
    callOnOutsideClick(dialog, this.#requestClose);
    dialog.addEventListener('cancel', (event) => {
      if (event.target !== dialog) return;
      event.preventDefault();
      this.#requestClose();
    });
    dialog.addEventListener('close', ({ target }) => {
      if (target === dialog && !dialog.open) this.#handleClose();
    });
    dialog.addEventListener('input', (event) => {
      this.#hasTyped ||= isTextField(event.composedPath()[0]);
    });
    for (const type of ['donation-form-success', 'donation-form-processing'])
      dialog.addEventListener(type, () => {
        this.#hasTyped = false;
      });
  }

  open(): void {
    if (this.#dialog.open) return;
    this.#dialog.showModal();
    openClosers.add(this);
    // After a reload, the dialog's entry is still the current one.
    if (!isLeavingEntry && !isEntry(history.state)) addHistoryEntry();
    addEventListener('popstate', handlePopState);
  }

  /** Closes the dialog after Back, or asks first. */
  leaveEntry(): void {
    const mustAsk = this.#hasTyped && !this.#question.open;
    if (mustAsk || openClosers.size > 1) addHistoryEntry();
    if (mustAsk) this.#question.showModal();
    else this.close();
  }

  /** Closes the question first, so that the focus returns to the link. */
  close(): void {
    this.#question.close();
    this.#dialog.close();
  }

  readonly #requestClose = (): void => {
    if (this.#hasTyped) this.#question.showModal();
    else this.close();
  };

  #handleClose(): void {
    this.#hasTyped = false;
    openClosers.delete(this);
    if (openClosers.size > 0) return;
    // `popstate` follows, or after Back from an entry that the page has added meanwhile.
    isLeavingEntry = isEntry(history.state);
    if (isLeavingEntry) history.back();
  }
}

function handlePopState(event: PopStateEvent): void {
  const hasLeftEntry = isLeavingEntry;
  isLeavingEntry = false;
  // Back from an entry that the page has added.
  if (isEntry(event.state)) return;
  restorePageState(event);
  const closer = [...openClosers].at(-1);
  if (event.state !== null) return closer?.close();
  // A dialog that has opened meanwhile could not add an entry: browsers would leave both.
  if (closer && hasLeftEntry) addHistoryEntry();
  else closer?.leaveEntry();
  if (!isEntry(history.state)) removeEventListener('popstate', handlePopState);
}

/** Adds an entry for Back to leave. Browsers can forbid this, for example in a sandboxed frame. */
function addHistoryEntry(): void {
  const { state } = history as { state: unknown };
  tryStorage(() => {
    if (!isEntry(state)) {
      pageState = state;
      history.replaceState(null, '');
    }
    history.pushState({ ...(pageState as object | null), [ENTRY_KEY]: pageState }, '');
  });
}

let questionCount = 0;

function createQuestion(language: Language, onClose: () => void): HTMLDialogElement {
  const { close, question, stay } = CLOSE_TEXTS[language];
  const dialog = document.createElement('dialog');
  const text = document.createElement('p');
  text.textContent = question;
  text.id = `donation-dialog-question-${(questionCount += 1)}`;
  dialog.setAttribute('aria-labelledby', text.id);
  dialog.lang = language;
  dialog.dir = getTextDirection(language);
  dialog.append(
    text,
    createButton(stay, () => dialog.close()),
    createButton(close, onClose),
  );
  return dialog;
}

function createButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', onClick);
  return button;
}

function isTextField(target: EventTarget | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches('input:not([type=radio], [type=checkbox]), textarea')
  );
}

/**
 * Calls the function if a press starts and ends outside the dialog's box. The event target alone
 * does not show this: it is also the dialog for a click in the padding, and for a drag out of a
 * field.
 */
function callOnOutsideClick(dialog: HTMLDialogElement, close: () => void): void {
  const isOutside = ({ target, clientX, clientY }: MouseEvent): boolean => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return (
      target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom)
    );
  };
  let hasStartedOutside = false;
  dialog.addEventListener('pointerdown', (event) => {
    hasStartedOutside = isOutside(event);
  });
  dialog.addEventListener('click', (event) => {
    if (hasStartedOutside && isOutside(event)) close();
  });
}
