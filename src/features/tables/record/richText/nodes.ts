import { Node } from '@tiptap/core';
import type { NodeConfig } from '@tiptap/core';

const blockTags = 'p, h1, h2, h3, h4, h5, h6, ul, ol, blockquote, pre, figure, div, table, hr';
const optional = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, { default: null }]));

/** A node represented by one element, or by several alternative ones. */
const elementOf = (name: string, tags: readonly string[], attributes: readonly string[], config: Partial<NodeConfig>): Node =>
  Node.create({
    name,
    ...config,
    addAttributes: () => ({ ...optional(attributes), tag: { default: tags[0], parseHTML: (element) => element.localName, rendered: false } }),
    parseHTML: () => tags.map((tag) => ({ tag })),
    renderHTML: ({ HTMLAttributes, node }) => (node.isLeaf ? [String(node.attrs['tag']), HTMLAttributes] : [String(node.attrs['tag']), HTMLAttributes, 0]),
  });

/**
 * A block of text. `wrap` says how it is written: `p`, `div`, `bare` (text without an element of its own), or `auto`: bare where it is the only block of a list
 * item, cell or quote, otherwise `p`.
 */
const Paragraph = Node.create({
  name: 'paragraph',
  priority: 1000,
  group: 'block',
  content: 'inline*',
  addAttributes: () => ({
    wrap: {
      default: 'auto',
      parseHTML: (element) => element.dataset['wrap'] ?? element.localName,
      renderHTML: ({ wrap }) => (wrap === 'auto' || wrap === 'bare' ? { 'data-wrap': String(wrap) } : {}),
    },
  }),
  parseHTML: () => [{ tag: 'p' }, { tag: 'div', priority: 60, getAttrs: (element) => element.querySelector(blockTags) === null && null }],
  renderHTML: ({ HTMLAttributes, node }) => [node.attrs['wrap'] === 'div' ? 'div' : 'p', HTMLAttributes, 0],
});

const Heading = Node.create({
  name: 'heading',
  group: 'block',
  content: 'inline*',
  defining: true,
  addAttributes: () => ({ level: { default: 2, parseHTML: (element) => Number(element.localName.slice(1)), rendered: false } }),
  parseHTML: () => [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${String(level)}` })),
  renderHTML: ({ HTMLAttributes, node }) => [`h${String(node.attrs['level'])}`, HTMLAttributes, 0],
});

const ListItem = elementOf('listItem', ['li'], [], { content: 'block+', defining: true }).extend({
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) };
  },
});

const CodeBlock = Node.create({
  name: 'codeBlock',
  group: 'block',
  content: 'text*',
  marks: '',
  code: true,
  defining: true,
  addAttributes: () => ({
    inner: { default: true, parseHTML: (element) => element.firstElementChild?.localName === 'code', rendered: false },
    language: { default: null, parseHTML: (element) => element.querySelector('code')?.getAttribute('class') ?? null, rendered: false },
  }),
  parseHTML: () => [{ tag: 'pre', preserveWhitespace: 'full' }],
  renderHTML: ({ HTMLAttributes, node: { attrs } }) =>
    attrs['inner'] === true
      ? ['pre', HTMLAttributes, ['code', attrs['language'] === null ? {} : { class: String(attrs['language']) }, 0]]
      : ['pre', HTMLAttributes, 0],
});

const HardBreak = elementOf('hardBreak', ['br'], [], { group: 'inline', inline: true, selectable: false, linebreakReplacement: true }).extend({
  addKeyboardShortcuts() {
    return { 'Shift-Enter': () => this.editor.commands.insertContent({ type: this.name }) };
  },
});

/** The elements that the server keeps, except marks. */
export const nodes: readonly Node[] = [
  Node.create({ name: 'doc', topNode: true, content: 'block+' }),
  Node.create({ name: 'text', group: 'inline' }),
  Paragraph,
  Heading,
  elementOf('bulletList', ['ul'], [], { group: 'block list', content: 'listItem+' }),
  elementOf('orderedList', ['ol'], ['start'], { group: 'block list', content: 'listItem+' }),
  ListItem,
  elementOf('blockquote', ['blockquote'], [], { group: 'block', content: 'block+', defining: true }),
  CodeBlock,
  elementOf('division', ['div'], [], { group: 'block', content: 'block+' }),
  elementOf('figure', ['figure'], [], { group: 'block', content: '(block | figureCaption)+', isolating: true }),
  elementOf('figureCaption', ['figcaption'], [], { content: 'inline*' }),
  elementOf('rule', ['hr'], [], { group: 'block' }),
  elementOf('table', ['table'], [], { group: 'block', content: '(tableCaption | columns | tablePart | tableRow)+', isolating: true }),
  elementOf('tableCaption', ['caption'], [], { content: 'inline*' }),
  elementOf('columns', ['colgroup'], [], { content: 'column*' }),
  elementOf('column', ['col'], ['span'], {}),
  elementOf('tablePart', ['tbody', 'thead', 'tfoot'], [], { content: 'tableRow*' }),
  elementOf('tableRow', ['tr'], [], { content: 'tableCell*' }),
  elementOf('tableCell', ['td', 'th'], ['colspan', 'rowspan', 'scope'], { content: 'block+', isolating: true }),
  HardBreak,
  elementOf('image', ['img'], ['src', 'alt', 'title', 'width', 'height'], { group: 'inline', inline: true, draggable: true }),
  elementOf('ruby', ['ruby'], [], { group: 'inline', inline: true, content: 'inline*' }),
  elementOf('rubyText', ['rt', 'rp'], [], { group: 'inline', inline: true, content: 'text*' }),
];
