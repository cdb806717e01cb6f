import type { CSSResult } from 'lit';
import type { FormController } from '../form/form-controller.ts';
import { findPageMistakes } from './find-mistakes.ts';

/**
 * Shows the debug panel if the `debug` attribute or the URL requests the panel, and hides it
 * otherwise.
 */
export async function updateDebugPanel(
  form: FormController,
  adoptStyles: (styles: CSSResult) => void,
): Promise<void> {
  const { loader, context } = form;
  if (!loader!.pageContext.isDebugRequested) {
    if (form.debugPanel) await form.update({ debugPanel: undefined });
    return;
  }
  const [{ explainForm }, { renderDebugPanel, debugStyles }] = await Promise.all([
    import('./explain-form.ts'),
    import('./debug-panel.ts'),
  ]);
  adoptStyles(debugStyles);
  const explanation = explainForm(loader!, context!);
  await form.update({
    debugPanel: renderDebugPanel(explanation, context!, findPageMistakes(form.element)),
  });
}
