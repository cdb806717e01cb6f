import parser from '@typescript-eslint/parser';
import { defineConfig } from 'eslint/config';
import { configs as lit } from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import { configs as wc } from 'eslint-plugin-wc';

/** Rules for templates; .oxlintrc.json has all others. Oxlint cannot run `lit-a11y`. */
export default defineConfig(
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { files: ['**/*.ts'], languageOptions: { parser } },
  lit['flat/recommended'],
  {
    ...wc['flat/recommended'],
    settings: { wc: { elementBaseClasses: ['LitElement'] } },
  },
  {
    plugins: { 'lit-a11y': litA11y },
    rules: litA11y.configs.recommended.rules,
  },
);
