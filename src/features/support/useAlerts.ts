import { useEffect, useState } from 'react';
import { useRemembered } from '@/lib/useRemembered';

type Permission = 'default' | 'granted' | 'denied' | 'unsupported';
const permissionNow = (): Permission => (typeof Notification === 'undefined' ? 'unsupported' : Notification.permission);
const keys = { notify: 'supportNotify', sound: 'supportSound' } as const;

/** Two short tones, made by the browser: no file has to load. Silent until somebody has clicked on the page. */
function playTone(): void {
  if (typeof AudioContext === 'undefined') return;
  const context = new AudioContext();
  for (const [frequency, delay] of [
    [660, 0],
    [880, 0.12],
  ] as const) {
    const oscillator = context.createOscillator();
    const volume = context.createGain();
    const from = context.currentTime + delay;
    oscillator.frequency.value = frequency;
    volume.gain.setValueAtTime(0.08, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 0.18);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(from);
    oscillator.stop(from + 0.2);
  }
  setTimeout(() => void context.close(), 1000);
}

/** Browser notifications and the sound of new messages. Both are off until somebody switches them on, which is when the browser asks for permission. */
export function useAlerts() {
  const [notify, setNotify] = useRemembered(keys.notify, ['on', 'off'], 'off');
  const [sound, setSound] = useRemembered(keys.sound, ['on', 'off'], 'off');
  const [permission, setPermission] = useState<Permission>(permissionNow);
  return {
    permission,
    isNotifying: notify === 'on' && permission === 'granted',
    isSounding: sound === 'on',
    async switchNotify(on: boolean): Promise<void> {
      if (!on) return setNotify('off');
      const next = permission === 'default' ? await Notification.requestPermission() : permission;
      setPermission(next);
      if (next === 'granted') setNotify('on');
    },
    switchSound(on: boolean): void {
      setSound(on ? 'on' : 'off');
      if (on) playTone();
    },
  };
}

const isOn = (key: string): boolean => {
  try {
    return localStorage.getItem(`console:${key}`) === 'on';
  } catch {
    return false;
  }
};

/** Latest alerts that a tab of this browser has raised. Without locks (plain http on another host), two tabs may rarely both raise one. */
const raisedKey = 'console:supportAlerts';
const mostRaised = 50;
/** A tab that is read is the first to raise an alert, so that the others stay silent. */
const hiddenMs = 400;

function claim(id: string): boolean {
  try {
    const raised = (localStorage.getItem(raisedKey) ?? '').split('\n');
    if (raised.includes(id)) return false;
    localStorage.setItem(raisedKey, [...raised, id].slice(-mostRaised).join('\n'));
  } catch {
    // Without a store every tab alerts.
  }
  return true;
}

/** True in one tab of the browser. */
async function isFirst(id: string): Promise<boolean> {
  if (document.visibilityState === 'hidden') await new Promise((resolve) => setTimeout(resolve, hiddenMs));
  return 'locks' in navigator ? navigator.locks.request(raisedKey, () => claim(id)) : claim(id);
}

type Alert = {
  /** The same in all tabs. */ readonly id: string;
  readonly title: string;
  readonly body: string;
  /** Replaces the notification of the same conversation. */ readonly tag: string;
  readonly onOpen: () => void;
};

/** A message has arrived: sounds, and notifies whoever looks at another window, as far as both are switched on, in one of the open tabs. */
export async function raiseAlert({ id, title, body, tag, onOpen }: Alert): Promise<void> {
  if (!(isOn(keys.sound) || isOn(keys.notify)) || !(await isFirst(id))) return;
  if (isOn(keys.sound)) playTone();
  if (!isOn(keys.notify) || permissionNow() !== 'granted' || document.visibilityState === 'visible') return;
  try {
    const notification = new Notification(title, { body, tag });
    notification.onclick = () => {
      window.focus();
      notification.close();
      onOpen();
    };
  } catch {
    // Browsers of Android have the class but show notifications of service workers only.
  }
}

const badge = /^\(\d+\+?\) /;

/** Number of unread messages before the title of the page, also after the frame has changed the title. */
export function useTitleBadge(unread: number): void {
  useEffect(() => {
    const element = document.querySelector('title');
    if (!element) return;
    const write = (): void => {
      const plain = document.title.replace(badge, '');
      const next = unread > 0 ? `(${unread > 99 ? '99+' : String(unread)}) ${plain}` : plain;
      if (next !== document.title) document.title = next;
    };
    write();
    const observer = new MutationObserver(write);
    observer.observe(element, { childList: true });
    return () => {
      observer.disconnect();
      document.title = document.title.replace(badge, '');
    };
  }, [unread]);
}
