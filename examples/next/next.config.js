/** The endpoint finds its scripts and opens its store by itself, which a bundler would break. */
export default { serverExternalPackages: ['donation-form-server'] };
