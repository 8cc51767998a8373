import { openTable } from '../../shared/store/table.ts';
import type { Probes } from './service.ts';

const settings = openTable('settings');

export const createProbes = (): Probes => ({
  async readTable() {
    await settings.get({ pk: 'HEALTH', sk: 'PROBE' });
  },
});
