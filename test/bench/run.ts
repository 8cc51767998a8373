import { accounts } from './accounts.ts';
import { chat } from './chat.ts';
import { kernel } from './kernel.ts';
import { plugins } from './plugins.ts';
import { writeReport, type Section } from './report.ts';
import { workflows } from './workflows.ts';

const SECTIONS: readonly Section[] = [kernel, accounts, chat, plugins, workflows];

const wanted = process.argv.slice(2);
const chosen = SECTIONS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (chosen.length === 0)
  throw new Error(`There is no such section; choose from ${SECTIONS.map(({ name }) => name).join(', ')}`);
const measured = new Map<string, string>();
for (const section of chosen) {
  console.log(`Measuring ${section.title} …`);
  const body = `## ${section.title}\n\n${await section.run()}`;
  console.log(body);
  measured.set(section.name, body);
}
writeReport(measured);
