import { createHash } from 'node:crypto';
import * as z from 'zod';
import { AwsFault } from './fault.ts';
import { arn, type Identity } from './identity.ts';
import { operation, type TargetService } from './wire.ts';

/** Text of a secret by name; the local host takes it from its environment. */
export type ReadSecret = (name: string) => string | undefined;

export const secretsService = (identity: Identity, read: ReadSecret): TargetService => ({
  target: 'secretsmanager',
  version: '1.1',
  invalid: 'InvalidParameterException',
  operations: {
    GetSecretValue: operation(z.object({ SecretId: z.string().min(1) }), ({ SecretId }) => {
      const name = SecretId.replace(/^arn:[^:]*:secretsmanager:[^:]*:[^:]*:secret:/, '');
      const value = read(name);
      if (value === undefined)
        throw new AwsFault('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      return {
        ARN: arn(identity, 'secretsmanager', `secret:${name}`),
        Name: name,
        SecretString: value,
        VersionId: createHash('sha256').update(value).digest('hex').slice(0, 32),
        VersionStages: ['AWSCURRENT'],
      };
    }),
  },
});
