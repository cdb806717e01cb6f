import { formsOf, loadConfiguration } from '../../config/load-configuration.ts';
import { checkLinks } from '../check-links.ts';
import { say, type Command } from '../command.ts';
import { reportIgnored } from '../report.ts';

export const checkLinksCommand: Command = {
  usage: 'links check FILE',
  about: `Says of each campaign link in a CSV file what a form would open with, what would be ignored, and why.
Exits with 1 where something would be.`,
  options: ['config', 'form'],
  async run({ config, form: formId }, file) {
    const forms = formsOf(await loadConfiguration(config))
      .flat()
      .map(({ en }) => en.definition);
    const form = formId === undefined ? forms[0] : forms.find(({ id }) => id === formId);
    if (!form)
      throw new Error(
        `--form is '${formId}'; expected one of ${forms.map(({ id }) => id).join(', ')}.`,
      );
    const { report, faulty } = await checkLinks(file, form);
    say(report);
    return faulty > 0 ? 1 : 0;
  },
};

export const reportLinksCommand: Command = {
  usage: 'links report',
  about: `Says what forms ignored of links and settings in the last days, 30 unless --days N says otherwise, by name, reason and
segment. It asks the running server, on the address that the configuration names under "operator".`,
  options: ['config', 'days'],
  run: async ({ config, days }) =>
    say(await reportIgnored((await loadConfiguration(config)).operator, days)),
};
