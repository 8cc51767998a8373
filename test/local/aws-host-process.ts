import { startAwsHost } from '../../infra/local/aws/host.ts';

/** Started as a process of its own by the durability test, so that it can be killed. */
const host = await startAwsHost({
  dataDir: process.argv[2],
  queues: [{ name: 'work' }, { name: 'events' }],
  buses: ['platform'],
  rules: [{ bus: 'platform', pattern: {}, targets: ['events'] }],
});
process.stdout.write(`${host.endpoint}\n`);
