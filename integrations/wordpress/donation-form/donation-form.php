<?php
/**
 * Plugin Name:       Donation form
 * Description:       A donation form from your own donation server, as the "Donation form" block and the [donation_form] shortcode.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       donation-form
 * Domain Path:       /languages
 */

namespace DonationForm;

defined('ABSPATH') || exit;

const VERSION = '0.1.0';
const FOLDER = __DIR__;

require FOLDER . '/includes/attributes.php';
require FOLDER . '/includes/settings.php';
require FOLDER . '/includes/endpoint.php';
require FOLDER . '/includes/script.php';
require FOLDER . '/includes/form.php';
require FOLDER . '/includes/shortcode.php';
require FOLDER . '/includes/campaign-shortcode.php';
require FOLDER . '/includes/block.php';
if (is_admin()) {
    require FOLDER . '/includes/check-endpoint.php';
    require FOLDER . '/includes/settings-page.php';
}

add_action('init', static function (): void {
    load_plugin_textdomain('donation-form', false, basename(FOLDER) . '/languages');
}, 1);
