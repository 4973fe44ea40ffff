import type { ReactElement, ReactNode } from 'react';
import { safeHref } from '../fields/env';

type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'code' | 'paragraph' | 'quote'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'rule' };

const bullet = /^\s{0,3}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const starts = (line: string): boolean => /^\s{0,3}(#{1,6}\s|>|```|~~~|([-*_])(\s*\2){2,}\s*$)/.test(line) || bullet.test(line);

/** Blocks of a text, as CommonMark has them for plain cases; lists have one level. */
function blocksOf(text: string): readonly Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const take = (more: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && more(line); line = lines[at]) {
      taken.push(line);
      at += 1;
    }
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
    const fence = /^\s{0,3}(```|~~~)/.exec(line)?.[1];
    if (line.trim() === '') at += 1;
    else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' });
      at += 1;
    } else if (fence !== undefined) {
      at += 1;
      blocks.push({ kind: 'code', text: take((one) => !one.trimStart().startsWith(fence)).join('\n') });
      at += 1;
    } else if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) {
      blocks.push({ kind: 'rule' });
      at += 1;
    } else if (/^\s{0,3}>/.test(line))
      blocks.push({
        kind: 'quote',
        text: take((one) => /^\s{0,3}>/.test(one))
          .map((one) => one.replace(/^\s{0,3}>\s?/, ''))
          .join('\n'),
      });
    else if (bullet.test(line)) {
      const ordered = bullet.exec(line)?.[1] !== undefined;
      const items: string[] = [];
      for (const one of take((next) => bullet.test(next) || /^\s+\S/.test(next))) {
        const item = bullet.exec(one)?.[2];
        if (item === undefined) items.push(`${items.pop() ?? ''} ${one.trim()}`);
        else items.push(item);
      }
      blocks.push({ kind: 'list', ordered, items });
    } else {
      at += 1;
      blocks.push({ kind: 'paragraph', text: [line, ...take((one) => one.trim() !== '' && !starts(one))].join('\n') });
    }
  }
  return blocks;
}

const inline =
  /`([^`]+)`|!\[([^\]]*)\]\(([^)\s]+)[^)]*\)|\[([^\]]+)\]\(([^)\s]+)[^)]*\)|(\*\*|__)(?=\S)([\s\S]*?\S)\6|([*_])(?=\S)([\s\S]*?\S)\8|~~(\S[\s\S]*?)~~/g;
function inlineOf(text: string, depth = 0): ReactNode {
  if (depth > 6) return text;
  const parts: ReactNode[] = [];
  let last = 0;
  for (const match of text.matchAll(inline)) {
    const [whole, code, alt, source, label, address, , strong, , soft, struck] = match;
    parts.push(text.slice(last, match.index));
    last = match.index + whole.length;
    const key = match.index;
    if (code !== undefined) parts.push(<code key={key}>{code}</code>);
    else if (source !== undefined) {
      const src = safeHref(source);
      parts.push(src === null ? alt : <img key={key} src={src} alt={alt ?? ''} loading="lazy" />);
    } else if (label !== undefined) {
      const href = safeHref(address ?? '');
      parts.push(
        href === null ? (
          label
        ) : (
          <a key={key} href={href} target="_blank" rel="noopener noreferrer">
            {inlineOf(label, depth + 1)}
          </a>
        ),
      );
    } else if (strong !== undefined) parts.push(<strong key={key}>{inlineOf(strong, depth + 1)}</strong>);
    else if (soft !== undefined) parts.push(<em key={key}>{inlineOf(soft, depth + 1)}</em>);
    else parts.push(<del key={key}>{inlineOf(struck ?? '', depth + 1)}</del>);
  }
  parts.push(text.slice(last));
  return parts;
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;
/** Markdown as React's own elements: nothing of it is ever read as HTML. */
export const Markdown = ({ text }: { readonly text: string }): ReactElement => (
  <>
    {blocksOf(text).map((block, at) => {
      switch (block.kind) {
        case 'heading': {
          const Heading = headings[block.level - 1] ?? 'h6';
          // oxlint-disable-next-line react/no-array-index-key -- blocks are their places
          return <Heading key={at}>{inlineOf(block.text)}</Heading>;
        }
        case 'code':
          return (
            // oxlint-disable-next-line react/no-array-index-key -- as above
            <pre key={at}>
              <code>{block.text}</code>
            </pre>
          );
        case 'rule':
          // oxlint-disable-next-line react/no-array-index-key -- as above
          return <hr key={at} />;
        case 'quote':
          // oxlint-disable-next-line react/no-array-index-key -- as above
          return <blockquote key={at}>{inlineOf(block.text)}</blockquote>;
        case 'list': {
          const List = block.ordered ? 'ol' : 'ul';
          return (
            // oxlint-disable-next-line react/no-array-index-key -- as above
            <List key={at}>
              {block.items.map((item, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- as above
                <li key={place}>{inlineOf(item)}</li>
              ))}
            </List>
          );
        }
        default:
          // oxlint-disable-next-line react/no-array-index-key -- as above
          return <p key={at}>{inlineOf(block.text)}</p>;
      }
    })}
  </>
);
