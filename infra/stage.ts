import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';

/** Everything that differs between two installations, as one value. */
export interface Stage {
  readonly name: string;
  /** What happens to data when its stack is deleted. */
  readonly removal: RemovalPolicy;
  readonly logRetention: RetentionDays;
  readonly alarmMail?: string;
  readonly domain?: Domain;
  /** ARN of a web application firewall for the distribution, made in us-east-1. */
  readonly webAcl?: string;
}

export interface Domain {
  readonly name: string;
  /** ARN of the certificate; CloudFront takes it from us-east-1 only. */
  readonly certificate: string;
}

/** Reads `cdk -c stage=… -c disposable=true -c alarmMail=… -c domain=… -c certificate=… -c webAcl=…`. */
export function stageFrom(node: Node): Stage {
  const given = (key: string): string | undefined => textOf(key, node.tryGetContext(key));
  const isDisposable = given('disposable') === 'true';
  return {
    name: stageName(given('stage') ?? 'prod'),
    removal: isDisposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    logRetention: isDisposable ? RetentionDays.ONE_WEEK : RetentionDays.THREE_MONTHS,
    alarmMail: given('alarmMail'),
    domain: domainFrom(given('domain'), given('certificate')),
    webAcl: given('webAcl'),
  };
}

export const keepsData = (stage: Stage) => stage.removal === RemovalPolicy.RETAIN;

function textOf(key: string, value: unknown) {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string' && typeof value !== 'boolean') throw new Error(`Context ${key} must be text`);
  return String(value);
}

/** Short enough for bucket names, which carry the account and the region as well. */
function stageName(name: string) {
  if (!/^[a-z][a-z0-9]{0,11}$/.test(name)) {
    throw new Error(`Stage "${name}" must be 1 to 12 lower-case letters and digits, starting with a letter`);
  }
  return name;
}

function domainFrom(name: string | undefined, certificate: string | undefined): Domain | undefined {
  if (name === undefined && certificate === undefined) return undefined;
  if (name === undefined || certificate === undefined) throw new Error('Give both domain and certificate, or neither');
  if (!/^arn:[\w-]+:acm:us-east-1:/.test(certificate)) {
    throw new Error('The certificate must be one of ACM in us-east-1: CloudFront accepts no other');
  }
  return { name, certificate };
}
