/** Where this host pretends to be; names, ARNs and addresses all follow from it. */
export interface Identity {
  readonly region: string;
  readonly account: string;
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
}

export const arn = ({ region, account }: Identity, service: string, resource: string) =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

export const queueArn = (identity: Identity, name: string) => arn(identity, 'sqs', name);

export const queueUrl = ({ endpoint, account }: Identity, name: string) => `${endpoint}/${account}/${name}`;

/** The last part of an ARN or address: its name. */
export const nameIn = (arnOrUrl: string) =>
  arnOrUrl.slice(Math.max(arnOrUrl.lastIndexOf(':'), arnOrUrl.lastIndexOf('/')) + 1);
