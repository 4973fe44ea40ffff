import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { ruleGroups, ruleIds, ruleOf } from '../contract/crawler/rules';
import type { RuleId } from '../contract/crawler/rules';
import en from '../src/features/crawler/rules/messages.en';
import zh from '../src/features/crawler/rules/messages.zh-CN';

/** Writes docs/en/crawler-rules.md and docs/zh/crawler-rules.md from the catalogue of rules and its texts; with --check it only reports whether the pages are current. */
const languages = {
  en: {
    texts: en,
    title: 'Rules of the audit',
    intro:
      'Every crawl evaluates these rules. A crawler may turn each of them off, give it another severity and change its parameters. A finding becomes an issue, which is open, fixed, regressed or ignored.',
    severity: { error: 'error', warning: 'warning', notice: 'notice' },
    parameters: 'Parameters',
    range: (standard: number, min: number, max: number): string => `${standard} (${min}–${max})`,
    why: 'Why it matters',
    fix: 'How to fix it',
    bad: 'Bad',
    good: 'Good',
    colon: ': ',
    separator: '; ',
  },
  zh: {
    texts: zh,
    title: '审计规则',
    intro: '每次抓取都会检查这些规则。每个爬虫都可以关闭规则、修改严重程度和参数。发现的问题有四种状态：待处理、已修复、再次出现、已忽略。',
    severity: { error: '错误', warning: '警告', notice: '提示' },
    parameters: '参数',
    range: (standard: number, min: number, max: number): string => `${standard}（${min}–${max}）`,
    why: '原因',
    fix: '修复方法',
    bad: '不好',
    good: '好',
    colon: '：',
    separator: '；',
  },
} as const;
type Language = (typeof languages)[keyof typeof languages];

const code = (text: string): string => `\`${text}\``;

function ruleText(language: Language, id: RuleId): string {
  const { texts, colon } = language;
  const rule = texts.rule[id];
  const { severity, parameters = {} } = ruleOf(id);
  const names: Readonly<Record<string, string>> = texts.parameter;
  const settings = Object.entries(parameters).map(
    ([name, { default: standard, min, max }]) => `${names[name] ?? name}${colon}${language.range(standard, min, max)}`,
  );
  return [
    `### ${rule.name}`,
    '',
    `${code(id)} · ${language.severity[severity]}`,
    '',
    `- **${language.why}**${colon}${rule.why}`,
    `- **${language.fix}**${colon}${rule.fix}`,
    `- **${language.bad}**${colon}${code(rule.bad)}`,
    `- **${language.good}**${colon}${code(rule.good)}`,
    ...(settings.length > 0 ? [`- **${language.parameters}**${colon}${settings.join(language.separator)}`] : []),
    '',
  ].join('\n');
}

function pageText(language: Language): string {
  const groups = ruleGroups.map((group) => {
    const ids = ruleIds.filter((id) => ruleOf(id).group === group);
    return `## ${language.texts.group[group]}\n\n${ids.map((id) => ruleText(language, id)).join('\n')}`;
  });
  return `# ${language.title}\n\n${language.intro}\n\n${groups.join('\n')}`;
}

for (const [name, language] of Object.entries(languages)) {
  const file = new URL(`../docs/${name}/crawler-rules.md`, import.meta.url);
  const text = pageText(language);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`docs/${name}/crawler-rules.md is not current: run npm run docs:rules`);
    process.exitCode = 1;
  }
}
