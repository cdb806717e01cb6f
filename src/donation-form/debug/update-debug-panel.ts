import type { FormStore } from '../form/form-store.ts';
import { findPageMistakes } from './find-mistakes.ts';

/**
 * Shows the debug panel if the `debug` attribute or the URL requests it, and hides it otherwise.
 */
export async function updateDebugPanel(form: FormStore): Promise<void> {
  const { session, context } = form;
  if (!session!.pageContext.isDebugRequested) {
    if (form.debugPanel) await form.update({ debugPanel: undefined });
    return;
  }
  const [{ explainForm }, { renderDebugPanel, debugStyles }] = await Promise.all([
    import('./explain-form.ts'),
    import('./debug-panel.ts'),
  ]);
  form.adoptStyles(debugStyles);
  const explanation = explainForm(session!, context!);
  await form.update({
    debugPanel: renderDebugPanel(explanation, context!, findPageMistakes(form.element)),
  });
}
