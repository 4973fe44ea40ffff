import { EventEmitter } from 'node:events';
import type { FastifyReply } from 'fastify';
import { downloadPlaces } from './download';
import { Failure } from './failure';

const replying = () => ({ raw: new EventEmitter() }) as unknown as FastifyReply & { readonly raw: EventEmitter };

test('a slow download blocks only its own key until it ends', () => {
  const place = downloadPlaces({ all: 2, each: 1 });
  const slow = replying();
  const signal = place(slow, 'a');
  expect(() => place(replying(), 'a')).toThrow(Failure);
  const other = replying();
  expect(place(other, 'b').aborted).toBe(false);
  expect(() => place(replying(), 'c')).toThrow(Failure);
  slow.raw.emit('close');
  expect(signal.aborted).toBe(true);
  expect(place(replying(), 'a').aborted).toBe(false);
});
