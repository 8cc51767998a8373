import { toQueueHandler } from '../../shared/lambda/jobs.ts';
import { createDelivery } from '../../shared/mail/deliver.ts';
import { QueuedMail } from '../../shared/mail/outbox.ts';
import { loadSettings } from '../../shared/settings/load.ts';

const deliver = createDelivery(await loadSettings());

export const handler = toQueueHandler(QueuedMail, deliver);
