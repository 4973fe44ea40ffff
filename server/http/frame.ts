import { createHash } from 'node:crypto';

/**
 * The page that shows a foreign HTML error unchanged. The console embeds it as `<iframe sandbox="allow-scripts" src="/frame">`, waits for the message `ready`
 * and posts the HTML to it. The HTML is shown in a second, fully sandboxed frame, under a policy that allows only styles and images: it looks right and cannot
 * execute anything. A `srcdoc` frame in the console itself would inherit the console's policy and lose its styles.
 */
const script = `const inner = document.querySelector('iframe');
addEventListener('message', (event) => { if (event.source === parent && typeof event.data === 'string') inner.srcdoc = event.data; });
parent.postMessage('ready', '*');`;

export const framePage = `<!doctype html>
<html><head><meta charset="utf-8"><title>Error</title><style>html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}</style></head>
<body><iframe sandbox="" title="Error"></iframe><script>${script}</script></body></html>
`;

export const framePolicy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'unsafe-inline' https:",
  'img-src data: https:',
  'font-src data: https:',
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'sandbox allow-scripts',
].join('; ');
