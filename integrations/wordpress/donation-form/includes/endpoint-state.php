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
        return ['warning', sprintf(__('Nothing answered at %1$s (%2$s). Check the address, and that the endpoint is running.', 'donation-form'), $endpoint . '/healthz', $alive->get_error_message())];
    }
    $status = wp_remote_retrieve_response_code($alive);
    if ($status !== 200) {
        /* translators: 1: an address, 2: a number such as 404 */
        return ['warning', sprintf(__('%1$s answered %2$d, where a donation endpoint answers 200. Check the address.', 'donation-form'), $endpoint . '/healthz', $status)];
    }
    $site = origin_of(home_url());
    $form = wp_remote_get($endpoint . '/form', ['timeout' => PATIENCE, 'redirection' => 0, 'headers' => ['Origin' => $site]]);
    if (wp_remote_retrieve_header($form, 'access-control-allow-origin') !== $site) {
        /* translators: %s: the origin of this site */
        return ['warning', sprintf(__('The endpoint answers, but does not let this site show its form. Add exactly %s to "origins" in its configuration.', 'donation-form'), $site)];
    }
    return ['success', __('The endpoint answers, and lets this site show its form.', 'donation-form')];
}
