const formats = {};

export const formatMoneyWithIntl = (settings, amount) =>
  (formats[settings.locale + settings.currency] ||= new Intl.NumberFormat(settings.locale, {
    style: 'currency',
    currency: settings.currency,
  })).format(amount);

const PATTERN = ['$', ',', '.', 2, ''];

/** Formats an amount without `Intl`, whose first use takes milliseconds. */
export const formatMoneyByPattern = ({ pattern = PATTERN }, amount) => {
  const [prefix, group, point, decimals, suffix] = pattern;
  const [whole, fraction] = amount.toFixed(decimals).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, group);
  return prefix + grouped + (decimals ? point + fraction : '') + suffix;
};
