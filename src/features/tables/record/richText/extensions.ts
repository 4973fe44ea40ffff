import { Extension, getSchema } from '@tiptap/core';
import type { Extensions, NodeViewRenderer } from '@tiptap/core';
import { Gapcursor } from '@tiptap/extensions/gap-cursor';
import { UndoRedo } from '@tiptap/extensions/undo-redo';
import { marks } from './marks';
import { nodes } from './nodes';

const types = [...nodes, ...marks].map(({ name }) => name).filter((name) => name !== 'doc' && name !== 'text');

/** `lang` and `dir`, which are allowed on every element. */
const Languages = Extension.create({
  name: 'languages',
  addGlobalAttributes: () => [{ types, attributes: { lang: { default: null }, dir: { default: null } } }],
});

const Shortcuts = Extension.create({
  name: 'shortcuts',
  addKeyboardShortcuts() {
    // `commands` belongs to one state, so every key press reads it anew.
    const { editor } = this;
    return {
      'Mod-b': () => editor.commands.toggleMark('bold'),
      'Mod-i': () => editor.commands.toggleMark('italic'),
      'Mod-Shift-7': () => editor.commands.toggleList('orderedList', 'listItem'),
      'Mod-Shift-8': () => editor.commands.toggleList('bulletList', 'listItem'),
    };
  },
});

/** What the editor consists of. `showPicture`: how it shows pictures. */
export const extensionsWith = (showPicture: NodeViewRenderer): Extensions => [
  ...nodes.map((node) => (node.name === 'image' ? node.extend({ addNodeView: () => showPicture }) : node)),
  ...marks,
  Languages,
  Shortcuts,
  UndoRedo,
  Gapcursor,
];
export const schema = getSchema([...nodes, ...marks, Languages]);
