/** Registers `<form-builder>`. */
import { FormBuilderElement } from './form-builder.ts';

customElements.define('form-builder', FormBuilderElement);
