import parser from '@typescript-eslint/parser';
import { configs as lit } from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import { configs as wc } from 'eslint-plugin-wc';
import { defineConfig, globalIgnores } from 'eslint/config';

const withTemplates = ['src/donation-form/**/*.ts', 'src/admin-ui/**/*.ts'];

/** Only what oxlint does not have; its rules are in .oxlintrc.json. */
export default defineConfig(
  globalIgnores([
    'dist/',
    '.data/',
    'test-results/',
    'examples/next/.next/',
    'examples/{angular,react,svelte,vue}/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { files: ['**/*.ts'], languageOptions: { parser } },
  {
    // At run time the first would load the module, which .dependency-cruiser.mjs does not see.
    files: ['**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'ExportNamedDeclaration[source][exportKind="value"]:not(:has(> ExportSpecifier[exportKind="value"]))',
          message: 'Write `export type { … } from` instead of `export { type … } from`.',
        },
      ],
    },
  },
  {
    rules: {
      'max-len': [
        'error',
        { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreUrls: true },
      ],
    },
  },
  { files: withTemplates, ...lit['flat/recommended'] },
  {
    files: withTemplates,
    ...wc['flat/recommended'],
    settings: { wc: { elementBaseClasses: ['LitElement'] } },
  },
  {
    files: withTemplates,
    plugins: { 'lit-a11y': litA11y },
    rules: litA11y.configs.recommended.rules,
  },
);
