import type { EditorView } from '@tiptap/pm/view';
import { sliceOf } from './documentHtml';

/**
 * Inserts sanitized HTML from the clipboard. ProseMirror's own parser would need a Trusted Types policy that allows any HTML, so it never receives HTML; it
 * does receive plain text, which needs no parser.
 */
export function pasteHtml(view: EditorView, event: ClipboardEvent): boolean {
  const html = event.clipboardData?.getData('text/html') ?? '';
  if (!event.clipboardData) event.preventDefault();
  if (html === '' || view.composing) return event.defaultPrevented;
  event.preventDefault();
  const inCode = view.state.selection.$from.parent.type.spec.code === true;
  if (inCode) view.pasteText(event.clipboardData?.getData('text/plain') ?? '');
  else view.dispatch(view.state.tr.replaceSelection(sliceOf(html, view.state.schema)).scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'));
  return true;
}
