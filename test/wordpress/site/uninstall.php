<?php
/** Deletes the plugin as its page does, and prints which of its options are left. */

require __DIR__ . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

deactivate_plugins('donation-form/donation-form.php');
uninstall_plugin('donation-form/donation-form.php');
echo json_encode($wpdb->get_col("SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE '%donation%'"));
