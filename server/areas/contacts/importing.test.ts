import { ContactInput } from '../../../contract/contacts/schemas';
import { readCsv } from './csv';
import { termReader } from './importTerms';
import { readVcards } from './vcard';

const read = (lines: ReturnType<typeof readCsv>) => lines?.map((line) => ({ line: line.line, ...ContactInput.parse(termReader(line, 'zh-CN')) }));

describe('tables', () => {
  test('Chinese headers, byte order mark, tabs and multi-line cells are read', () => {
    const text =
      '\uFEFF姓名\t公司\t电子邮箱\t联系电话\t微信号\t职责\t备注\r\n王芳\t茶馆\twang@example.cn\t(010) 6288-1234\twf\t会计\t"一\n二"\r\n\r\n李雷\t\t\t\t\t顾问\t早\r\n';
    expect(read(readCsv(text))).toMatchObject([
      { line: 2, name: '王芳', company: '茶馆', email: 'wang@example.cn', phone: '01062881234', wechat: 'wf', title: 'finance', note: '一\n二' },
      { line: 5, name: '李雷', title: 'other', note: '早\n顾问' },
    ]);
  });
  test('English Google and Outlook headers with semicolons are read', () => {
    const text =
      'First Name;Last Name;Organization Name;E-mail 1 - Value;E-mail;Mobile Phone;Language;Topics\nAnna;Schmidt;"Müller; Söhne";;anna@mueller.example;+49 151;en;Security, Billing\n小明;王;;;;;;\n';
    expect(read(readCsv(text))).toMatchObject([
      {
        name: 'Anna Schmidt',
        company: 'Müller; Söhne',
        email: 'anna@mueller.example',
        phone: '+49151',
        locale: 'en',
        subscriptions: { security: ['mail'], billing: ['mail'] },
      },
      { name: '王小明', locale: 'zh-CN', subscriptions: {} },
    ]);
  });
  test('text without recognizable headers is not a table', () => {
    for (const text of ['', '  \n ', '邮箱,电话\na@example.com,1', '姓名,备注\n王,"没有结束', 'hello']) expect(readCsv(text)).toBeNull();
    expect(readCsv('姓名')).toEqual([]);
  });
  test('a line with an unknown topic is refused', () => {
    const [line] = readCsv('姓名,通知\n王,天气') ?? [];
    expect(line && ContactInput.safeParse(termReader(line, 'en')).success).toBe(false);
  });
});

describe('vCards', () => {
  test('3.0: folded lines, escapes, groups and the preferred value are read', () => {
    const text = [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:Schmidt;Anna;;;',
      'FN:Anna Schm',
      ' idt',
      'ORG:Müller\\, Söhne;Einkauf',
      'item1.EMAIL;TYPE=INTERNET:other@example.com',
      'item2.EMAIL;TYPE=INTERNET;TYPE=pref:anna@example.com',
      'TEL;TYPE="cell:x":tel:+49-151-000',
      'ADR;TYPE=WORK:;;Hauptstr. 1;Berlin;;10115;DE',
      'NOTE:one\\ntwo\\; three',
      'X-WECHAT:anna_s',
      'END:VCARD',
      '',
    ].join('\r\n');
    expect(read(readVcards(text))).toMatchObject([
      {
        line: 1,
        name: 'Anna Schmidt',
        company: 'Müller, Söhne Einkauf',
        email: 'anna@example.com',
        phone: '+49151000',
        address: 'Hauptstr. 1 Berlin 10115 DE',
        note: 'one\ntwo; three',
        wechat: 'anna_s',
      },
    ]);
  });
  test('4.0 without FN and 2.1 from phones are read', () => {
    const text =
      'BEGIN:VCARD\nVERSION:4.0\nN:王;小明;;;\nEMAIL;PREF=2:b@example.cn\nEMAIL;PREF=1:a@example.cn\nLANG:en\nEND:VCARD\n' +
      'BEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=E6=9D=8E=\n=E9=9B=B7\nTEL;CELL:13800138000\nEND:VCARD';
    expect(read(readVcards(text))).toMatchObject([
      { line: 1, name: '王小明', email: 'a@example.cn', locale: 'en' },
      { line: 8, name: '李雷', phone: '13800138000' },
    ]);
  });
  test('text without a beginning or end is not a vCard file', () => {
    for (const text of ['', 'BEGIN:VCARD\nFN:x', 'END:VCARD', 'BEGIN:VCARD\nBEGIN:VCARD\nEND:VCARD\nEND:VCARD', 'x'.repeat(100_000)])
      expect(readVcards(text)).toBeNull();
  });
  test('long hostile lines are parsed in bounded time', () => {
    expect(readVcards(`BEGIN:VCARD\nN${';a'.repeat(50_000)}\nADR:${'\\;'.repeat(100_000)}\nN:${';'.repeat(100_000)}\nEND:VCARD`)).toHaveLength(1);
  });
});
