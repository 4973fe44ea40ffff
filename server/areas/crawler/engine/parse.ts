import { decodeHTML, decodeHTMLAttribute } from 'entities';
import type { PageFacts } from '../../../../contract/crawler/facts';
import { decode } from './decode';
import type { Decoded } from './decode';
import { readElements } from './elements';
import type { Attributes } from './elements';
import { cookiesOf, headerLinks, headerRobots, recordedHeaders } from './headerFacts';
import { createResolver, noParameters, splitUrl } from './normalize';
import { PageReader, TooDeep } from './pageReader';
import { findSecrets } from './structured';
import type { PageSource, ParsedPage } from './terms';
import { cut, measureText } from './textMeasures';

const mostText = 200_000;

function addHeaders(facts: PageFacts, base: URL, headers: PageSource['headers']): void {
  facts.headers = recordedHeaders(headers);
  facts.cookies = cookiesOf(headers);
  facts.robots.push(...headerRobots(headers).slice(0, 20 - facts.robots.length));
  const resolve = createResolver(base, null, noParameters);
  for (const { target, relations, language } of headerLinks(headers)) {
    const url = resolve(target)?.url;
    if (url === undefined) continue;
    if (relations.includes('canonical') && facts.canonicals.length < 10)
      facts.canonicals.push({ url, source: 'header', relative: !/^https?:\/\//i.test(target), inBody: false });
    if (relations.includes('alternate') && language !== '' && facts.hreflangs.length < 200)
      facts.hreflangs.push({ language: cut(language.toLowerCase(), 40), url, source: 'header' });
  }
}

const rootIds = ['root', 'app', '__next', '__nuxt', 'app-root', 'svelte', 'react-root', 'main-app'];

/** A page with next to no text, whose scripts fill an empty root element. */
function needsScripts(reader: PageReader, text: string): boolean {
  if (reader.scripts === 0 || text.length > 250) return false;
  return (
    reader.facts.ids.some((id) => rootIds.includes(id.toLowerCase())) ||
    (reader.noscriptText > 20 && reader.facts.counts.internalLinks < 3) ||
    (reader.scripts >= 2 && text.length < 50 && reader.facts.elements < 60)
  );
}

function withoutReferences(attributes: Record<string, string>): Attributes {
  for (const name in attributes) {
    const value = attributes[name] as string;
    if (value.includes('&')) attributes[name] = decodeHTMLAttribute(value);
  }
  return attributes;
}

function readHtml(html: string, reader: PageReader): void {
  const hasReferences = html.includes('&');
  try {
    readElements(html, {
      open: (tag, attributes) => reader.open(tag, hasReferences ? withoutReferences(attributes) : attributes),
      text: (text) => reader.text(hasReferences && !reader.isRaw() && text.includes('&') ? decodeHTML(text) : text),
      close: (tag) => reader.close(tag),
    });
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
  }
  reader.end();
}

function charsetFacts({ used, header, meta, wrong, replacements, mojibake }: Decoded): PageFacts['charset'] {
  return { used, header, meta, wrong, replacements, mojibake };
}

/** Facts, links and texts of a document; text that is no HTML has neither. */
export function parsePage(source: PageSource): ParsedPage {
  const { url, headers, body, usualCharset = null, dropParameters = [] } = source;
  const base = new URL(url);
  const decoded = decode(body, headers['content-type'] ?? '', usualCharset);
  const isUnicode = decoded.used.startsWith('utf-');
  const reader = new PageReader(base, isUnicode ? null : decoded.used, dropParameters.length === 0 ? noParameters : new Set(dropParameters));
  readHtml(decoded.text, reader);
  const { facts, links } = reader;
  const { text, wordCount, han, script, textHash, simhash } = measureText(reader.mainText.length > 0 ? reader.mainText : reader.otherText, mostText);
  const { host } = splitUrl(url);
  const isInternal = source.isInternal ?? ((address: string) => splitUrl(address).host === host);
  let internalLinks = 0;
  let externalLinks = 0;
  for (const link of links) {
    if (link.kind !== 'a') continue;
    if (isInternal(link.url)) internalLinks++;
    else externalLinks++;
  }
  addHeaders(facts, base, headers);
  facts.charset = charsetFacts(decoded);
  facts.counts = { words: wordCount, han, internalLinks, externalLinks, images: reader.images };
  facts.script = script;
  facts.secrets = findSecrets(decoded.text);
  facts.excerpt = cut(text, 300);
  facts.needsScripts = needsScripts(reader, text);
  return { facts, links, html: decoded.text, text, textHash, simhash, template: reader.structure.hash() };
}
