import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { host } from '../support/host.ts';

/** The calls of the page as they stand there; only the address is that of the test's own host. */
const calls = () => {
  const page = readFileSync('docs/workflows.md', 'utf8');
  const block = /<!-- chain -->\n```sh\n([\s\S]*?)```/.exec(page)?.[1];
  if (!block) throw new Error('docs/workflows.md has no chain to paste');
  return block.replace(/^BASE=.*$/m, `BASE=${host.url}`);
};

test('the chain in docs/workflows.md works when it is pasted', async () => {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', calls()], { timeout: 50_000 });
  expect(stdout).toMatch(/wf_\S+ succeeded'[\s\S]*wf_\S+ succeeded'/);
  expect(stdout).toMatch(/order_checked from workflow:wf_[\s\S]*order_received from webhook:/);
}, 60_000);
