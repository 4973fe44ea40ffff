import { after } from '../edit.mjs';

const importIsbn = "import { isbn } from './isbn';\n";

/** The number of a book, ISBN-13. */
export default [
  after('contract/tables/fieldTypes/index.ts', "import type { DefaultKind, FieldTypeDefinition } from './definition';\n", importIsbn),
  after('contract/tables/fieldTypes/index.ts', '  barcode,\n', '  isbn,\n'),
  after('server/areas/tables/core/fieldTypes/index.ts', "import type { ServerFieldType } from './definition';\n", importIsbn),
  after('server/areas/tables/core/fieldTypes/index.ts', '  barcode,\n', '  isbn,\n'),
  after('src/features/tables/fieldTypes/index.ts', "import type { ConsoleFieldType, PaletteGroup } from './definition';\n", importIsbn),
  after('src/features/tables/fieldTypes/index.ts', '  barcode,\n', '  isbn,\n'),
  after('src/features/tables/parts/messages.en.ts', "    barcode: 'Barcode',\n", "    isbn: 'ISBN',\n"),
  after(
    'src/features/tables/parts/messages.en.ts',
    "    barcode: 'EAN, UPC or Code 128, typed by a scanner or by hand',\n",
    "    isbn: 'The number of a book, 13 digits',\n",
  ),
  after('src/features/tables/parts/messages.zh-CN.ts', "    barcode: '条码',\n", "    isbn: 'ISBN',\n"),
  after('src/features/tables/parts/messages.zh-CN.ts', "    barcode: 'EAN、UPC 或 Code 128，可用扫码枪录入',\n", "    isbn: '图书编号，13 位数字',\n"),
  after('docs/en/content-api.md', '- Barcodes are strings.', ' ISBNs are strings of 13 digits.'),
  after('docs/zh/content-api.md', '- 条码是文本。', 'ISBN 是 13 位数字。'),
];
