/** The variables that carry the deployed names of resources; the hosts set them, the functions read them. */
export const tableVariable = (table: string) => `TABLE_${table.toUpperCase()}`;
export const bucketVariable = (bucket: string) => `BUCKET_${bucket.toUpperCase()}`;
/** Holds the queue's URL. */
export const queueVariable = (queue: string) => `QUEUE_${queue.toUpperCase()}`;

/** The rest of what a host tells its functions. */
export const SETTINGS_SECRET = 'SETTINGS_SECRET';
/** Names the SSM parameter that holds `SVC_URL` where the address is only known after deployment. */
export const ADDRESS_PARAMETER = 'ADDRESS_PARAMETER';
export const EVENT_BUS = 'EVENT_BUS';
export const SOCKET_ENDPOINT = 'SOCKET_ENDPOINT';
export const SCHEDULE_GROUP = 'SCHEDULE_GROUP';
export const SCHEDULE_ROLE = 'SCHEDULE_ROLE';
export const SEAL_KEY = 'SEAL_KEY';
