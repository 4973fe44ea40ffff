import { z } from 'zod';
import type { JsonSchema } from './shape';
import { shapeOf } from './shape';

const shape = (schema: z.ZodType): string => shapeOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);

test('a body shape lists names, choices, limits and optional fields', () => {
  const body = z.object({
    name: z.string().min(1).max(40),
    topics: z
      .array(z.enum(['notice', 'security']))
      .max(20)
      .optional(),
    note: z.string().nullable(),
    props: z.record(z.string(), z.number()),
  });
  expect(shape(body)).toBe(`{
  name: string (1…40)
  topics?: ("notice" | "security")[] (…20)
  note: string | null
  props: { [name]: number }
}`);
});

test('numbers without bounds show none', () => {
  expect(shape(z.int())).toBe('integer');
  expect(shape(z.int().min(0).max(100))).toBe('integer (0…100)');
});
