/* What a manual gains from scripts: "/" opens the search, code has a button that copies it, and the contents mark what is on the screen. */

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, [contenteditable]')) return;
  const search = document.getElementById('site-search');
  if (!search) return;
  event.preventDefault();
  search.focus();
});

for (const pre of document.querySelectorAll('[data-copy] pre, pre[data-copy]')) {
  const { copy, copied } = pre.closest('[data-copy]').dataset;
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = copy;
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(pre.textContent).then(() => {
      button.textContent = copied;
      setTimeout(() => (button.textContent = copy), 2000);
    });
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  pre.replaceWith(frame);
  frame.append(pre, button);
}

const links = new Map([...document.querySelectorAll('.contents a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
if (headings.length > 0) {
  const mark = () => {
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 4) ?? headings[0];
    for (const [id, link] of links)
      if (id === current.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
  };
  addEventListener('scroll', mark, { passive: true });
  mark();
}

document.querySelector('.sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' });
