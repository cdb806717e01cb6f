/** Entry script of the page at the endpoint's URL: puts that URL into the snippets. */
const url = new URL('.', location.href).href.replace(/\/$/, '');
for (const element of document.querySelectorAll('.endpoint-url')) element.textContent = url;
