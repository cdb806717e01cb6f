import { Command } from '@commander-js/extra-typings';
import { configOption } from '../options.ts';

export const checkLinksCommand = new Command('check')
  .summary('check the campaign links in a CSV file')
  .description(
    'Check the campaign links in a CSV file: print what each link selects on the form, what ' +
      'the form ignores, and why. Exits with 1 if the form ignores anything, a link is invalid, or ' +
      'the form does not appear on its site.',
  )
  .argument('<file>', 'CSV file that contains links in any column')
  .addOption(configOption)
  .option('--form <id>', 'ID of the form that the links open (default: the first form)')
  .action(async (file, { config, form: formId }) => {
    const [{ loadConfiguration }, { buildForms }, { checkLinksInFile }] = await Promise.all([
      import('../../config/load-configuration.ts'),
      import('../../config/validate-configuration.ts'),
      import('../check-links.ts'),
    ]);
    const configuration = await loadConfiguration(config);
    const forms = buildForms(configuration).flatMap((organizationForms, index) =>
      organizationForms.map(({ en }) => ({
        definition: en.definition,
        origins: configuration.organizations[index]!.origins,
      })),
    );
    const form =
      formId === undefined ? forms[0] : forms.find(({ definition }) => definition.id === formId);
    if (!form) {
      const ids = forms.map(({ definition }) => definition.id).join(', ');
      throw new Error(`Unknown form '${formId}' in --form. Expected one of ${ids}.`);
    }
    const { report, failedCount } = await checkLinksInFile(file, form.definition, form.origins);
    process.stdout.write(report);
    if (failedCount > 0) process.exitCode = 1;
  });
