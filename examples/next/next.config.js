/** The endpoint loads its own scripts and database, which a bundler would break. */
export default { serverExternalPackages: ['donation-form-server'] };
