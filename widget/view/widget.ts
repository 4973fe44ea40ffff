import type { Chat } from '../chat';
import { h, icon } from '../dom';
import { stored } from '../storage';
import type { Store } from '../storage';
import { styles } from '../styles';
import { createPanel } from './panel';

const phone = '(max-width: 480px)';

const focusable = 'button:not([disabled]):not([hidden]), input:not([hidden]):not([tabindex="-1"]), textarea, a[href], [tabindex="0"]';
const isVisible = (element: HTMLElement): boolean => element.getClientRects().length > 0;

/** Keeps the focus inside a dialog that covers the page. */
function trapFocus(event: KeyboardEvent, panel: HTMLElement, root: ShadowRoot): void {
  const all = [...panel.querySelectorAll<HTMLElement>(focusable)].filter(isVisible);
  const [first, last] = [all[0], all.at(-1)];
  const leaves = event.shiftKey ? root.activeElement === first : root.activeElement === last;
  if (!leaves) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

function createInvite(chat: Chat, store: Store, open: () => void): HTMLElement | null {
  const { invite, texts } = chat.config;
  if (invite === null || store.get(stored.invited, 'session') !== null || chat.conversation !== null) return null;
  const end = (): void => {
    store.set(stored.invited, '1', 'session');
    element.hidden = true;
  };
  const element = h(
    'div',
    { class: 'invite', role: 'status', hidden: true },
    h(
      'button',
      {
        type: 'button',
        class: 'open',
        onclick: () => {
          end();
          open();
        },
      },
      invite.text,
    ),
    h('button', { type: 'button', class: 'dismiss', 'aria-label': texts.dismiss, onclick: end }, icon('close')),
  );
  setTimeout(() => {
    if (!chat.isOpen && store.get(stored.opened, 'session') === null) element.hidden = false;
  }, invite.afterSeconds * 1000);
  return element;
}

function createLauncher(chat: Chat, open: () => void) {
  const { texts } = chat.config;
  const badge = h('span', { class: 'badge', hidden: true });
  const label = texts.launcher === '' ? null : h('span', { class: 'label' }, texts.launcher);
  const element = h('button', { type: 'button', class: 'launcher', 'aria-haspopup': 'dialog', onclick: open }, icon('chat'), label, badge);
  return {
    element,
    update() {
      const { unread } = chat;
      badge.hidden = unread === 0;
      // By the style sheet: as text it would be part of the visible name, in another order than in the accessible one.
      badge.dataset['count'] = unread > 99 ? '99+' : String(unread);
      // Begins with the visible text, by which people who speak to their browser press it.
      const name = texts.launcher || texts.title;
      element.setAttribute('aria-label', unread === 0 ? name : `${name}, ${texts.unread.replace('{n}', String(unread))}`);
    },
  };
}

/** Puts the launcher and, once it is opened, the dialog on the page. */
class WidgetView {
  private readonly chat: Chat;
  private readonly store: Store;
  private readonly host: HTMLElement;
  private readonly root: ShadowRoot;
  private readonly frame: HTMLElement;
  private readonly launcher: ReturnType<typeof createLauncher>;
  private readonly invite: HTMLElement | null;
  private panel: ReturnType<typeof createPanel> | null = null;
  private pageOverflow = '';

  constructor(chat: Chat, store: Store) {
    const { config } = chat;
    this.chat = chat;
    this.store = store;
    this.host = h('div', { 'data-sitewright-chat': '' });
    this.root = this.host.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    this.root.adoptedStyleSheets = [sheet];
    this.launcher = createLauncher(chat, () => this.open());
    this.invite = createInvite(chat, store, () => this.open());
    this.frame = h('div', { class: `root ${config.side}`, lang: config.locale, dir: config.dir }, this.invite, this.launcher.element);
    const variables = {
      brand: config.color,
      'on-brand': config.textColor,
      offset: `${String(config.offset)}px`,
      z: String(config.zIndex),
      'brand-line': config.color,
    };
    for (const [name, value] of Object.entries(variables)) this.frame.style.setProperty(`--${name}`, value);
    this.root.append(this.frame);
    this.frame.addEventListener('keydown', (event) => this.onKey(event));
    document.body.append(this.host);
    chat.onChange(() => this.update());
    this.update();
  }

  private update(): void {
    const { chat } = this;
    // Hidden while nobody is there; a conversation that has begun stays within reach.
    const { availability, awayPolicy } = chat.config;
    this.host.hidden = availability !== 'open' && awayPolicy === 'hide' && chat.conversation === null && chat.unsent.length === 0;
    this.launcher.element.hidden = chat.isOpen;
    this.frame.classList.toggle('open', chat.isOpen);
    if (this.panel) this.panel.element.hidden = !chat.isOpen;
    this.launcher.update();
    if (chat.isOpen) this.panel?.update();
  }

  private open(): void {
    const { chat } = this;
    if (this.panel === null) {
      this.panel = createPanel(chat, this.store, () => this.close());
      this.frame.append(this.panel.element);
    }
    if (this.invite) this.invite.hidden = true;
    const isPhone = matchMedia(phone).matches;
    this.panel.element.setAttribute('aria-modal', String(isPhone));
    if (isPhone) {
      this.pageOverflow = document.documentElement.style.overflow;
      document.documentElement.style.overflow = 'hidden';
    }
    chat.setOpen(true);
    this.panel.toEnd();
    this.panel.focus();
  }

  private close(): void {
    if (this.panel?.element.getAttribute('aria-modal') === 'true') document.documentElement.style.overflow = this.pageOverflow;
    this.chat.setOpen(false);
    this.launcher.element.focus();
  }

  private onKey(event: KeyboardEvent): void {
    // Shortcuts of the page are not meant by somebody who writes here.
    event.stopPropagation();
    if (!this.chat.isOpen || event.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      this.close();
    } else if (event.key === 'Tab' && this.panel?.element.getAttribute('aria-modal') === 'true') trapFocus(event, this.panel.element, this.root);
  }
}

export const showWidget = (chat: Chat, store: Store): WidgetView => new WidgetView(chat, store);
