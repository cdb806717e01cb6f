/** Entry script of the mail page. Makes each frame as high as its document. */
for (const frame of document.querySelectorAll('iframe')) {
  const fitHeight = (): void => {
    const { offsetHeight = 0 } = frame.contentDocument?.documentElement ?? {};
    const border = frame.offsetHeight - frame.clientHeight;
    if (offsetHeight > 0) frame.style.height = `${offsetHeight + border}px`;
  };
  frame.addEventListener('load', fitHeight);
  new ResizeObserver(fitHeight).observe(frame);
}
