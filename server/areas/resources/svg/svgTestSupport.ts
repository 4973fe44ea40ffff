import { JSDOM } from 'jsdom';
import { sanitiseSvg } from './sanitise';
import type { CleanSvg } from './sanitise';

export const clean = (text: string | Uint8Array): CleanSvg => sanitiseSvg(Buffer.from(text));

/** An SVG with some content and a rectangle, which must remain. */
export const svg = (content: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}<rect id="remains" width="1" height="1"/></svg>`;

const harmless = new Set(
  `animate animateMotion animateTransform set svg g defs symbol use switch title desc style path rect circle ellipse line polyline polygon image text tspan textPath
  linearGradient radialGradient stop pattern clipPath mask marker mpath filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix
  feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset
  fePointLight feSpecularLighting feSpotLight feTile feTurbulence`.split(/\s+/),
);
const styleIsHarmful = (style: string): boolean =>
  /@import|@font-face|\\|expression\(|image-set|src\(|javascript|https?:|\/\//i.test(style) || /url\((?!#[^)'"]+\))/i.test(style);

function problemsOf(element: Element): string[] {
  const name = element.localName;
  const problems = element.namespaceURI === 'http://www.w3.org/2000/svg' && harmless.has(name) ? [] : [`<${name}>`];
  for (const { name: attribute, value, namespaceURI } of element.attributes) {
    const isPicture = name === 'image' && /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+$/.test(value);
    if (/^on/i.test(attribute)) problems.push(attribute);
    else if (/href|^src|action$/i.test(attribute) && !/^#[^\s]+$/.test(value) && !isPicture) problems.push(`${attribute}=${value}`);
    else if (namespaceURI !== null && !/^xml(?:ns$|:)/.test(attribute)) problems.push(attribute);
    else if (attribute === 'attributeName' && /href|^on|style|class|^id$/i.test(value)) problems.push(`${attribute}=${value}`);
    else if (attribute !== 'xmlns' && !/^aria-|^class$/.test(attribute) && !isPicture && styleIsHarmful(value)) problems.push(`${attribute}=${value}`);
  }
  if (name === 'style' && styleIsHarmful(element.textContent)) problems.push(element.textContent);
  return problems;
}

const { window } = new JSDOM('');

/** What could do harm in a source, read by another parser than the sanitiser's: as the XML of an image, and as a part of an HTML page. */
export function problemsIn(source: string): string[] {
  const image = new window.DOMParser().parseFromString(source, 'image/svg+xml');
  const page = new window.DOMParser().parseFromString(`<!doctype html><body>${source}</body>`, 'text/html');
  const inPage = Array.from(page.querySelectorAll('head > *, body *'));
  const inImage = Array.from(image.querySelectorAll('*'));
  if (inImage.length !== inPage.length) return ['XML and HTML differ'];
  return [...inImage, ...inPage].flatMap(problemsOf);
}
