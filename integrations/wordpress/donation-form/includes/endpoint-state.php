<?php
/** Whether the endpoint in the settings answers, and lets this site show its form. */

namespace DonationForm;

defined('ABSPATH') || exit;

/** How long the settings page waits for each answer, seconds. */
const PATIENCE = 4;

/** @return array{0: string, 1: string} the kind of notice (success, warning), and its words. */
function endpoint_state(string $endpoint): array
{
    $alive = wp_remote_get($endpoint . '/healthz', ['timeout' => PATIENCE, 'redirection' => 0]);
    if (is_wp_error($alive)) {
        /* translators: 1: an address, 2: what went wrong */
        return ['warning', sprintf(__('Nothing answers at %1$s (%2$s). Check the address, and that the endpoint is running.', 'donation-form'), $endpoint, $alive->get_error_message())];
    }
    if (wp_remote_retrieve_response_code($alive) !== 200) {
        /* translators: %s: an address */
        return ['warning', sprintf(__('Something answers at %s, but it is no donation endpoint. Whoever runs your endpoint knows its address.', 'donation-form'), $endpoint)];
    }
    $site = origin_of(home_url());
    $form = wp_remote_get($endpoint . '/form', ['timeout' => PATIENCE, 'redirection' => 0, 'headers' => ['Origin' => $site]]);
    if (wp_remote_retrieve_header($form, 'access-control-allow-origin') !== $site) {
        /* translators: %s: the origin of this site */
        return ['warning', sprintf(__('The endpoint answers, but does not let this site show its form. Add exactly %s to "origins" in its configuration.', 'donation-form'), $site)];
    }
    return ['success', __('The endpoint answers, and lets this site show its form.', 'donation-form')];
}
