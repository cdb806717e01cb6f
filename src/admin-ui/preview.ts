/** The preview of a form, in the frame of the page 'Campaign links'. */
import { onlyPreview } from './only-preview.ts';

onlyPreview();
