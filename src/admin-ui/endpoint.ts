/** Entry script of the page at the endpoint URL. Inserts the URL into the snippets. */
const url = new URL('.', location.href).href.replace(/\/$/, '');
for (const element of document.querySelectorAll('.endpoint-url')) element.textContent = url;
