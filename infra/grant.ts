import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** What a function may do, what it is told, and which wildcards in that are meant. */
export interface Grant {
  readonly statements: readonly PolicyStatement[];
  readonly environment: Readonly<Record<string, string>>;
  readonly wildcards?: readonly Wildcard[];
}

export interface Wildcard {
  readonly resource: string;
  readonly reason: string;
}

export const allow = (actions: readonly string[], ...resources: string[]) =>
  new PolicyStatement({ actions: [...actions], resources });
