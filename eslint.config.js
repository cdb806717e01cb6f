import js from '@eslint/js';
import globals from 'globals';
import { configs as lit } from 'eslint-plugin-lit';
import litA11y from 'eslint-plugin-lit-a11y';
import { configs as wc } from 'eslint-plugin-wc';
import ts from 'typescript-eslint';

export default ts.config(
  {
    ignores: [
      'dist/',
      '.data/',
      'test-results/',
      'examples/next/.next/',
      'examples/{angular,react,svelte,vue}/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [ts.configs.strictTypeChecked, ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
  },
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-floating-promises': [
        'error',
        { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test'] }] },
      ],
    },
  },
  { files: ['src/element/**/*.ts', 'src/pages/**/*.ts'], ...lit['flat/recommended'] },
  {
    files: ['src/element/**/*.ts', 'src/pages/**/*.ts'],
    ...wc['flat/recommended'],
    settings: { wc: { elementBaseClasses: ['LitElement'] } },
  },
  {
    files: ['src/element/**/*.ts', 'src/pages/**/*.ts'],
    plugins: { 'lit-a11y': litA11y },
    rules: litA11y.configs.recommended.rules,
  },
  // An assertion of chai that was extended with an accessibility check looks like a promise to the
  // types.
  { files: ['test/element/**/*.ts'], rules: { '@typescript-eslint/no-floating-promises': 'off' } },
  {
    files: ['scripts/*.mjs', '*.mjs', '*.js', 'examples/**/*.js'],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['demo/site/*.js', 'integrations/wordpress/**/*.js'],
    languageOptions: { globals: globals.browser },
  },
);
