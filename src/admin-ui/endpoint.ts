/** Entry script for the page at the endpoint URL. Inserts this URL into the page's snippets. */
const url = new URL('.', location.href).href.replace(/\/$/, '');
for (const element of document.querySelectorAll('.endpoint-url')) element.textContent = url;
