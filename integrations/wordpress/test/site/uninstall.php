<?php
/** Uninstalls the plugin like the plugins page, and prints its remaining options. */

require __DIR__ . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

deactivate_plugins('donation-form/donation-form.php');
uninstall_plugin('donation-form/donation-form.php');
echo json_encode($wpdb->get_col("SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE '%donation%'"));
