import { openTable } from '../../shared/store/table.ts';

/** Writes row after row and prints the number of each one that was acknowledged, until the engine is gone. */
const table = openTable('settings');
for (let n = 0; ; n += 1) {
  await table.put({ pk: 'LOOP', sk: String(n).padStart(8, '0') }).catch(() => process.exit(0));
  process.stdout.write(`${n}\n`);
}
