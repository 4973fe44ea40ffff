import type { Chat } from '../chat';
import { h, icon } from '../dom';

/** The question how the conversation was, with a comment. */
export function createRating(chat: Chat): HTMLElement {
  const { texts } = chat.config;
  let chosen = 0;
  const alert = h('p', { class: 'alert', role: 'alert', hidden: true }, texts.failed);
  const comment = h('textarea', { maxlength: 1000, rows: 3, 'aria-label': texts.comment, placeholder: texts.comment });
  const send = h('button', { type: 'submit', class: 'main' }, texts.sendRating);
  const details = h('div', { class: 'field', hidden: true }, comment, send);
  const labels = [1, 2, 3, 4, 5].map((star) =>
    h(
      'label',
      {},
      h('input', { type: 'radio', name: 'rating', value: star, 'aria-label': texts.star.replace('{n}', String(star)), onchange: () => choose(star) }),
      icon('star'),
    ),
  );
  function choose(star: number): void {
    chosen = star;
    labels.forEach((label, index) => label.classList.toggle('on', index < star));
    details.hidden = false;
    details.scrollIntoView({ block: 'nearest' });
  }
  return h(
    'form',
    {
      class: 'rating',
      onsubmit: (event) => {
        event.preventDefault();
        if (chosen === 0) return;
        send.disabled = true;
        alert.hidden = true;
        void chat
          .rate(chosen, comment.value.trim())
          .catch(() => void (alert.hidden = false))
          .finally(() => void (send.disabled = false));
      },
    },
    h('fieldset', {}, h('legend', {}, texts.rate), h('div', { class: 'stars' }, ...labels)),
    details,
    alert,
  );
}
