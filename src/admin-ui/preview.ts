/** Entry script of the preview frame on the campaign links page. */
import { startPreview } from './start-preview.ts';

startPreview();
